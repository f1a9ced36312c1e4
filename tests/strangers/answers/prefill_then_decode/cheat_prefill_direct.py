# The prefill reads k and v directly; only decode reads the cache. Breaks "Made of KVCache ..., and of cached_attention, which reads that".
import math

import torch
from torch import Tensor


def prefill_then_decode(q, k, v, prompt):
    batch, heads, n, d = k.shape
    cache = KVCache(batch, heads, n, d)
    cache.append(k[:, :, :prompt], v[:, :, :prompt])
    o = torch.empty_like(q)
    o[:, :, :prompt] = cached_attention(q[:, :, :prompt], k, v, prompt)
    for t in range(prompt, n):
        cache.append(k[:, :, t : t + 1], v[:, :, t : t + 1])
        o[:, :, t : t + 1] = cached_attention(q[:, :, t : t + 1], cache.k, cache.v, t + 1)
    return o
