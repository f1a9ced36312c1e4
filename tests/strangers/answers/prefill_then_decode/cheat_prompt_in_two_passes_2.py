# Breaks: "prompt: tokens that are read in one pass" (the prompt's queries are read in two passes over the appended keys, which saves the masked quarter)
import torch
from torch import Tensor


def prefill_then_decode(q: Tensor, k: Tensor, v: Tensor, prompt: int) -> Tensor:
    batch, heads, n, d = k.shape
    cache = KVCache(batch, heads, n, d)
    o = torch.empty_like(q)
    cache.append(k[:, :, :prompt], v[:, :, :prompt])
    half = prompt // 2
    if half:
        o[:, :, :half] = cached_attention(q[:, :, :half], cache.k, cache.v, half)
    o[:, :, half:prompt] = cached_attention(q[:, :, half:prompt], cache.k, cache.v, prompt)
    for t in range(prompt, n):
        cache.append(k[:, :, t : t + 1], v[:, :, t : t + 1])
        o[:, :, t : t + 1] = cached_attention(q[:, :, t : t + 1], cache.k, cache.v, cache.length)
    return o
