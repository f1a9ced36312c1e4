# Wrong: a decode pass looks into the cache first and appends its token afterwards, so that no decoded token sees itself.
# Shows for prompt < N.
import torch
from torch import Tensor


def prefill_then_decode(q: Tensor, k: Tensor, v: Tensor, prompt: int) -> Tensor:
    batch, heads, n, d = k.shape
    cache = KVCache(batch, heads, n, d)
    o = torch.empty_like(q)
    cache.append(k[:, :, :prompt], v[:, :, :prompt])
    o[:, :, :prompt] = cached_attention(q[:, :, :prompt], cache.k, cache.v, cache.length)
    for t in range(prompt, n):
        o[:, :, t : t + 1] = cached_attention(
            q[:, :, t : t + 1], cache.k, cache.v, cache.length
        )
        cache.append(k[:, :, t : t + 1], v[:, :, t : t + 1])
    return o
