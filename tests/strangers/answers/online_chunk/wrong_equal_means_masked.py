# Wrong: rows whose maximum does not rise are taken for masked ones and left alone.
# Breaks: "l' = l e^(m - m') + sum_j P_j": only "a row of masked scores (-inf) leaves its state as it is".
import torch


def online_chunk(o, m, l, s, v):
    top = s.max(dim=1).values
    m_new = torch.maximum(m, top)
    shift = torch.where(m_new == -torch.inf, torch.zeros_like(m_new), m_new)
    p = torch.exp(s - shift[:, None])
    old = l * torch.exp(m - shift)
    l_new = old + p.sum(dim=1)
    d = l_new.clamp(min=1e-30)
    o_new = ((old / d)[:, None] * o) + (p / d[:, None]) @ v
    nothing = (top < m - 88) | (top == -torch.inf) | (top == m)
    o_new = torch.where(nothing[:, None], o, o_new)
    return o_new, m_new, torch.where(nothing, l, l_new)
