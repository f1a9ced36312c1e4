# A loop over the heads writes every g-th row of an empty result.
import torch
from torch import Tensor


def pack_heads(q: Tensor, kv_heads: int) -> Tensor:
    batch, heads, n, d = q.shape
    g = heads // kv_heads
    rows = q.new_empty(batch, kv_heads, n * g, d)
    for h in range(heads):
        kv, place = divmod(h, g)
        rows[:, kv, place::g] = q[:, h]
    return rows
