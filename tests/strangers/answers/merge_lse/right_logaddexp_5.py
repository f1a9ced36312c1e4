# style: library function person: torch.logaddexp
import torch
from torch import Tensor


def merge_lse(o1: Tensor, L1: Tensor, o2: Tensor, L2: Tensor) -> tuple[Tensor, Tensor]:
    L = torch.logaddexp(L1, L2)
    base = L.nan_to_num(neginf=0.0)
    w1, w2 = ((side - base).exp().unsqueeze(1) for side in (L1, L2))
    return w1 * o1 + w2 * o2, L
