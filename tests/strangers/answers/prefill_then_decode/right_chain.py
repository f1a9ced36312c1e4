# style: itertools.pairwise over cut points, list of passes
from itertools import chain, pairwise

import torch
from torch import Tensor


def prefill_then_decode(q: Tensor, k: Tensor, v: Tensor, prompt: int) -> Tensor:
    batch, heads, n, d = k.shape
    cache = KVCache(batch, heads, n, d)
    o = torch.empty_like(q)
    for begin, end in pairwise(chain([0], range(prompt, n + 1))):
        step = (slice(None), slice(None), slice(begin, end))
        cache.append(k[step], v[step])
        o[step] = cached_attention(q[step], cache.k, cache.v, cache.length)
    return o
