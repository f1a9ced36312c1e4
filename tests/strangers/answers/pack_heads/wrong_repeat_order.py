# Query head r % g * H_kv + kv: groups interleaved. Right for one KV head or one query head each.
import torch
from torch import Tensor


def pack_heads(q: Tensor, kv_heads: int) -> Tensor:
    b, h, n, d = q.shape
    return q.reshape(b, h // kv_heads, kv_heads, n, d).permute(0, 2, 3, 1, 4).reshape(b, kv_heads, -1, d)
