# Style: prefill, then a loop, results written into one output.
import torch
from torch import Tensor


def prefill_then_decode(q: Tensor, k: Tensor, v: Tensor, prompt: int) -> Tensor:
    batch, heads, n, d = k.shape
    cache = KVCache(batch, heads, n, d)
    o = torch.empty(batch, heads, n, d, dtype=q.dtype)
    cache.append(k[:, :, :prompt], v[:, :, :prompt])
    o[:, :, :prompt] = cached_attention(q[:, :, :prompt], cache.k, cache.v, cache.length)
    for t in range(prompt, n):
        now = slice(t, t + 1)
        cache.append(k[:, :, now], v[:, :, now])
        o[:, :, now] = cached_attention(q[:, :, now], cache.k, cache.v, cache.length)
    return o
