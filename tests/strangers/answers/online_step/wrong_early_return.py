# Wrong: where all scores are masked the state that was given is returned itself.
# Breaks: "as new tensors, also where nothing changes."
import torch


def online_step(o, m, l, s, v):
    if torch.isneginf(s).all():
        return o, m, l
    m_new = torch.maximum(m, s)
    safe = torch.where(torch.isneginf(m_new), torch.zeros_like(m_new), m_new)
    old, new = l * torch.exp(m - safe), torch.exp(s - safe)
    l_new = old + new
    d = torch.where(l_new == 0, torch.ones_like(l_new), l_new)
    o_new = torch.where(torch.isneginf(s)[:, None], o, (old / d)[:, None] * o + (new / d)[:, None] * v)
    return o_new, m_new, l_new
