# Right: passes as slices from itertools.chain, results written through o[...] with out slices
from itertools import chain

import torch
from torch import Tensor


def prefill_then_decode(q: Tensor, k: Tensor, v: Tensor, prompt: int) -> Tensor:
    """Causal attention over a sequence read through a cache: its prompt, then token by token."""
    batch, heads, n, d = k.shape
    cache = KVCache(batch, heads, capacity=n, d=d)
    o = torch.empty_like(v)
    passes = chain([slice(0, prompt)], (slice(t, t + 1) for t in range(prompt, n)))
    for tokens in passes:
        cache.append(k[:, :, tokens], v[:, :, tokens])
        o[:, :, tokens] = cached_attention(q[:, :, tokens], cache.k, cache.v, cache.length)
    return o
