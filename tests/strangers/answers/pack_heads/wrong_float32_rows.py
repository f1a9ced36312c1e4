# The rows are float32 whatever the dtype of q.
import torch
from torch import Tensor


def pack_heads(q: Tensor, kv_heads: int) -> Tensor:
    b, h, n, d = q.shape
    g = h // kv_heads
    return q.reshape(b, kv_heads, g, n, d).transpose(2, 3).float().reshape(b, kv_heads, n * g, d)
