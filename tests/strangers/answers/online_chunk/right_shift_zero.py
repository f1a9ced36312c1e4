# Style: the formula with a shift of 0 where nothing was seen; a row that sees nothing new keeps its old output.
import torch
from torch import Tensor


def online_chunk(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    m_new = torch.maximum(m, s.amax(dim=1))
    shift = torch.where(torch.isneginf(m_new), 0.0, m_new)
    past = l * torch.exp(m - shift)
    p = torch.exp(s - shift[:, None])
    l_new = past + p.sum(dim=1)
    divisor = torch.where(l_new == 0, 1.0, l_new)
    o_new = (past[:, None] * o + p @ v) / divisor[:, None]
    return o_new, m_new, l_new
