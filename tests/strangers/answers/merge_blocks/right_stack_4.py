# style: stack both sides and treat them as one tensor with a leading axis of two
import torch
from torch import Tensor


def merge_blocks(
    o1: Tensor, m1: Tensor, l1: Tensor, o2: Tensor, m2: Tensor, l2: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    m = torch.stack((m1, m2))
    top = m.amax(dim=0)
    a = torch.stack((l1, l2)) * torch.exp(m - top.masked_fill(top == -torch.inf, 0))
    l = a.sum(dim=0)
    w1, w2 = a / torch.where(l > 0, l, 1.0)
    o = w1[:, None] * o1 + w2[:, None] * o2
    # an empty side hands the other one through as it is
    o = torch.where((l2 == 0)[:, None], o1, torch.where((l1 == 0)[:, None], o2, o))
    return o, top, l
