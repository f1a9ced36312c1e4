# Computes L in float64 and returns it so.
import torch
from torch import Tensor


def merge_lse(o1: Tensor, L1: Tensor, o2: Tensor, L2: Tensor) -> tuple[Tensor, Tensor]:
    m = torch.maximum(L1, L2)
    base = torch.where(m.isneginf(), 0.0, m)
    a, b = torch.exp(L1 - base), torch.exp(L2 - base)
    total = torch.where(a + b > 0, a + b, 1.0)
    return (a / total)[:, None] * o1 + (b / total)[:, None] * o2, (m.double() + torch.log(total.double()))
