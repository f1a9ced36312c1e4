# WRONG: no guard for -inf minus -inf: a masked score on an empty state gives NaN instead of (0, -inf, 0)
import torch
from torch import Tensor


def online_step(
    o: Tensor, m: Tensor, l: Tensor, s: Tensor, v: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    m_new = torch.maximum(m, s)
    past, p = l * torch.exp(m - m_new), torch.exp(s - m_new)
    l_new = past + p
    o_new = (past / l_new)[:, None] * o + (p / l_new)[:, None] * v
    return o_new, m_new, l_new
