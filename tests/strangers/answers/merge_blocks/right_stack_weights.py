# Right: both blocks are stacked and summed over a new axis; lists and zip(*...)
import torch
from torch import Tensor


def merge_blocks(
    o1: Tensor, m1: Tensor, l1: Tensor, o2: Tensor, m2: Tensor, l2: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    """Attention over two disjoint blocks of keys together, from what `attention_block` gave."""
    blocks = [(o1, m1, l1), (o2, m2, l2)]
    os, ms, ls = (torch.stack(parts) for parts in zip(*blocks))
    m, _ = ms.max(dim=0)
    weights = ls * torch.exp(ms - m.masked_fill(m == -torch.inf, 0))
    l = weights.sum(dim=0)
    weights = weights / l.masked_fill(l == 0, 1)
    return (weights.unsqueeze(-1) * os).sum(dim=0), m, l
