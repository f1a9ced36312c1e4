# BREAKS: "May be a view; nothing is multiplied."
# COSTS: heads are placed by adding up g shifted copies that are zero elsewhere: g times the memory traffic, a product with a 0/1 matrix in disguise
import math
import torch
import triton
import triton.language as tl
from torch import Tensor


def unpack_heads(rows: Tensor, heads: int) -> Tensor:
    batch, kv, n, d = rows.shape
    g = heads // kv
    wide = rows.unflatten(2, (n // g, g))
    o = rows.new_zeros(batch, kv, g, n // g, d)
    for h in range(g):
        placed = torch.where(torch.arange(g)[None, None, None, :, None] == h, wide, 0)
        o[:, :, h] = placed.sum(dim=3)
    return o.flatten(1, 2)
