# itertools.pairwise over the passes' boundaries
from itertools import chain, pairwise


def prefill_then_decode(q: Tensor, k: Tensor, v: Tensor, prompt: int) -> Tensor:
    batch, heads, n, d = k.shape
    cache = KVCache(batch, heads, n, d)
    o = torch.empty(batch, heads, n, d, dtype=q.dtype)
    for begin, end in pairwise(chain([0], range(prompt, n + 1))):
        cache.append(k[:, :, begin:end], v[:, :, begin:end])
        o[:, :, begin:end] = cached_attention(q[:, :, begin:end], cache.k, cache.v, cache.length)
    return o
