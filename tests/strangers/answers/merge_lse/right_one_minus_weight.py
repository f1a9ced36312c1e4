# The second weight as 1 - w1, which is off by half a unit of 1 at the most.
import torch
from torch import Tensor


def merge_lse(o1: Tensor, L1: Tensor, o2: Tensor, L2: Tensor) -> tuple[Tensor, Tensor]:
    m = torch.maximum(L1, L2)
    base = torch.where(m.isneginf(), 0.0, m)
    a, b = torch.exp(L1 - base), torch.exp(L2 - base)
    a = torch.where(m.isneginf(), 1.0, a)
    total = torch.where(a + b > 0, a + b, 1.0)
    return (a / total)[:, None] * o1 + (1 - a / total)[:, None] * o2, m + torch.log(total)
