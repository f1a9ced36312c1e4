# Right: torch.logaddexp (not forbidden) as ring-flash-attention's update does; guards for -inf
import torch
from torch import Tensor


def merge_lse(o1: Tensor, L1: Tensor, o2: Tensor, L2: Tensor) -> tuple[Tensor, Tensor]:
    L = torch.logaddexp(L1, L2)
    safe = torch.where(torch.isneginf(L), torch.zeros_like(L), L)
    w1 = torch.exp(L1 - safe)[:, None]
    w2 = torch.exp(L2 - safe)[:, None]
    return torch.addcmul(w1 * o1, w2, o2), L
