# Right: stacks the two blocks, weights in one tensor, sum over the stack axis
import torch
from torch import Tensor


def merge_blocks(
    o1: Tensor, m1: Tensor, l1: Tensor, o2: Tensor, m2: Tensor, l2: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    ms, ls = torch.stack((m1, m2)), torch.stack((l1, l2))
    m = ms.amax(0)
    ref = torch.nan_to_num(m, neginf=0.0)
    a = ls * torch.exp(ms - ref)  # (2, N)
    l = a.sum(0)
    w = a / torch.where(l > 0, l, torch.ones_like(l))
    o = (w.unsqueeze(-1) * torch.stack((o1, o2))).sum(0)
    return o, m, l
