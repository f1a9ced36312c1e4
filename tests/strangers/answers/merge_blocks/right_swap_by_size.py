# Per row, the block with the larger maximum goes first and only the other one is scaled by one exponential.
import torch
from torch import Tensor


def merge_blocks(
    o1: Tensor, m1: Tensor, l1: Tensor, o2: Tensor, m2: Tensor, l2: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    swap = m2 > m1

    def pick(a, b):
        return torch.where(swap if a.dim() == 1 else swap[:, None], b, a)

    big_o, big_m, big_l = pick(o1, o2), pick(m1, m2), pick(l1, l2)
    small_o, small_m, small_l = pick(o2, o1), pick(m2, m1), pick(l2, l1)
    a = small_l * torch.exp(torch.where(small_m.isneginf(), small_m, small_m - big_m))
    l = big_l + a
    w = (a / torch.where(l == 0, 1.0, l))[:, None]
    w_big = (big_l / torch.where(l == 0, 1.0, l))[:, None]
    return big_o * w_big + small_o * w, big_m, l
