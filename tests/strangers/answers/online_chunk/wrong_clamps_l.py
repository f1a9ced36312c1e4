# Divides by l clamped to 1e-6 at least.
import torch
from torch import Tensor


def online_chunk(o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    m_new = torch.maximum(m, s.amax(dim=1))
    base = torch.where(m_new.isneginf(), 0.0, m_new)
    p = torch.exp(s - base[:, None])
    a = l * torch.exp(m - base)
    l_new = a + p.sum(dim=1)
    o_new = (a[:, None] * o + p @ v) / l_new.clamp(min=1.0 + 1e-6)[:, None]
    return o_new, m_new, l_new
