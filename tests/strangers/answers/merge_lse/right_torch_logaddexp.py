# torch.logaddexp and a softmax of the stacked pair.
import torch
from torch import Tensor


def merge_lse(o1: Tensor, L1: Tensor, o2: Tensor, L2: Tensor) -> tuple[Tensor, Tensor]:
    L = torch.logaddexp(L1, L2)
    w1, w2 = torch.nan_to_num(torch.softmax(torch.stack([L1, L2]), dim=0))
    return w1[:, None] * o1 + w2[:, None] * o2, L
