# Heads before positions: a plain reshape.
import torch
from torch import Tensor


def pack_heads(q: Tensor, kv_heads: int) -> Tensor:
    b, h, n, d = q.shape
    return q.reshape(b, kv_heads, -1, d).clone()
