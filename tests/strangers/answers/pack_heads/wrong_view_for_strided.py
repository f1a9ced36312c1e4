# as_strided with the strides of a contiguous tensor: wrong for views.
import torch
from torch import Tensor


def pack_heads(q: Tensor, kv_heads: int) -> Tensor:
    b, h, n, d = q.shape
    g = h // kv_heads
    return q.as_strided((b, kv_heads, n, g, d), (h * n * d, g * n * d, d, n * d, 1)).reshape(b, kv_heads, n * g, d)
