# Wrong: divides by l + 1e-6 as vLLM's paged attention does, and each chunk makes the output smaller.
# Breaks: "o' = (l e^(m - m') o + sum_j P_j v_j) / l'".
import torch


def online_chunk(o, m, l, s, v):
    m_new = torch.maximum(m, s.amax(dim=1))
    shift = torch.where(torch.isneginf(m_new), 0.0, m_new)
    p = torch.exp(s - shift[:, None])
    old = l * torch.exp(m - shift)
    l_new = old + p.sum(dim=1)
    o_new = (old[:, None] * o + p @ v) / (l_new + 1e-6)[:, None]
    return o_new, m_new, l_new
