# Style: torch.logaddexp, and weights with a shift of 0 where both blocks are empty.
import torch
from torch import Tensor


def merge_lse(o1: Tensor, L1: Tensor, o2: Tensor, L2: Tensor) -> tuple[Tensor, Tensor]:
    L = torch.logaddexp(L1, L2)
    shift = torch.where(torch.isneginf(L), 0.0, L)
    w1, w2 = torch.exp(L1 - shift), torch.exp(L2 - shift)
    return w1[:, None] * o1 + w2[:, None] * o2, L
