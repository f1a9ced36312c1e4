# Right: torch.addmm with alpha/beta left at 1, broadcast by None, masks in the beginning, comments with shapes
import torch
from torch import Tensor


def online_chunk(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """One chunk (FA-1, lines 10-12)."""
    m_tilde = s.amax(dim=1)  # (R,)
    m_new = torch.fmax(m, m_tilde)  # (R,)
    base = m_new.clone()
    base[base == -torch.inf] = 0
    P = torch.exp(s - base[:, None])  # (R, C)
    l_old = l * torch.exp(m - base)
    l_new = l_old + P.sum(1)
    inv = torch.where(l_new > 0, 1 / l_new, torch.zeros_like(l_new))
    o_new = torch.addmm((l_old * inv)[:, None] * o, P * inv[:, None], v)
    return o_new, m_new, l_new
