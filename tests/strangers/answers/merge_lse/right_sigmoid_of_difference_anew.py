# The weights as sigmoid(L1 - L2), lerp between the outputs.
import torch
from torch import Tensor


def merge_lse(o1: Tensor, L1: Tensor, o2: Tensor, L2: Tensor) -> tuple[Tensor, Tensor]:
    gap = torch.where(L1 == L2, torch.zeros_like(L1), L1 - L2)
    none = L1.isneginf() & L2.isneginf()
    w = torch.sigmoid(gap)[:, None]
    o = torch.where(none[:, None], 0.0, w * o1 + torch.sigmoid(-gap)[:, None] * o2)
    return o, torch.where(none, L1, torch.maximum(L1, L2) + torch.log1p(torch.exp(-gap.abs())))
