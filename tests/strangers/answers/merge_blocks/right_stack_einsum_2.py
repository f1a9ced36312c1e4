# Both blocks are stacked on a new axis and reduced over it with einsum.
import torch
from torch import Tensor


def merge_blocks(
    o1: Tensor, m1: Tensor, l1: Tensor, o2: Tensor, m2: Tensor, l2: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    o, m, l = torch.stack((o1, o2)), torch.stack((m1, m2)), torch.stack((l1, l2))
    top = m.amax(dim=0)
    a = l * torch.exp(m - torch.where(top.isneginf(), 0.0, top))
    total = a.sum(dim=0)
    weights = a / torch.where(total == 0, 1.0, total)
    return torch.einsum("bn,bnd->nd", weights, o), top, total
