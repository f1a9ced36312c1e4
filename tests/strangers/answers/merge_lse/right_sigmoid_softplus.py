# Style: as vLLM and ring-flash-attention do it, by a sigmoid and a softplus of the difference, with empty rows set apart.
import torch
from torch import Tensor


def merge_lse(o1: Tensor, L1: Tensor, o2: Tensor, L2: Tensor) -> tuple[Tensor, Tensor]:
    both_empty = (L1 == -torch.inf) & (L2 == -torch.inf)
    apart = torch.where(both_empty, 0.0, L1 - L2)
    high = torch.maximum(L1, L2)
    L = high + torch.log1p(torch.exp(-apart.abs()))
    w = torch.sigmoid(apart)[:, None]
    rest = torch.sigmoid(-apart)[:, None]
    return torch.where(both_empty[:, None], 0.0, w * o1 + rest * o2), L
