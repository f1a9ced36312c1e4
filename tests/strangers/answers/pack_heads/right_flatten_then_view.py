# flatten, which copies where it must, then a view.
import torch
from torch import Tensor


def pack_heads(q: Tensor, kv_heads: int) -> Tensor:
    b, h, n, d = q.shape
    g = h // kv_heads
    return q.flatten(1, 2).view(b, kv_heads, g, n, d).transpose(2, 3).contiguous().view(b, kv_heads, n * g, d)
