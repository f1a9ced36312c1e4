# The weights are sigmoids of the difference of the log-sum-exps, L by torch.logaddexp.
import torch
from torch import Tensor


def merge_lse(o1: Tensor, L1: Tensor, o2: Tensor, L2: Tensor) -> tuple[Tensor, Tensor]:
    both_empty = torch.isneginf(L1) & torch.isneginf(L2)
    gap = torch.where(both_empty, 0.0, L1 - L2)[:, None]
    o = torch.sigmoid(gap) * o1 + torch.sigmoid(-gap) * o2
    return o, torch.logaddexp(L1, L2)
