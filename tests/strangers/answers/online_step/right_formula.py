# style: the formula, with two where
import torch
from torch import Tensor


def online_step(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    m_new = torch.maximum(m, s)
    shift = torch.where(m_new == -torch.inf, 0.0, m_new)
    past, p = l * torch.exp(m - shift), torch.exp(s - shift)
    l_new = past + p
    safe = torch.where(l_new == 0, 1.0, l_new)
    o_new = (past / safe)[:, None] * o + (p / safe)[:, None] * v
    return o_new, m_new, l_new
