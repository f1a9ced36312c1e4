# Returns as m what it subtracts before exp, which is 0 for rows that have seen nothing.
import torch
from torch import Tensor


def online_chunk(o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    m_new = torch.maximum(m, s.amax(dim=1))
    base = torch.where(m_new.isneginf(), 0.0, m_new)
    p = torch.exp(s - base[:, None])
    a = l * torch.exp(m - base)
    l_new = a + p.sum(dim=1)
    o_new = (a[:, None] * o + p @ v) / torch.where(l_new > 0, l_new, 1.0)[:, None]
    return o_new, base, l_new
