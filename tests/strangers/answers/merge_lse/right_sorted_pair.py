# The two log-sum-exps stacked and sorted, each query's own two: the larger one is the base.
import torch
from torch import Tensor


def merge_lse(o1: Tensor, L1: Tensor, o2: Tensor, L2: Tensor) -> tuple[Tensor, Tensor]:
    low, top = torch.stack([L1, L2]).sort(dim=0).values
    base = torch.where(top == -torch.inf, 0.0, top)
    L = base + torch.log(torch.exp(low - base) + torch.exp(top - base))
    safe = torch.where(L == -torch.inf, 0.0, L)
    w1, w2 = torch.exp(L1 - safe), torch.exp(L2 - safe)
    return w1[:, None] * o1 + w2[:, None] * o2, L
