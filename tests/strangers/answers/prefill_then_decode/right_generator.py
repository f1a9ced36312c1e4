# Right: a generator of passes (slices), outputs written into a preallocated tensor.
import torch


def prefill_then_decode(q, k, v, prompt):
    batch, heads, n, d = k.shape
    cache, o = KVCache(batch, heads, n, d), torch.empty_like(q)

    def passes():
        yield slice(0, prompt)
        yield from (slice(t, t + 1) for t in range(prompt, n))

    for here in passes():
        cache.append(k[:, :, here], v[:, :, here])
        o[:, :, here] = cached_attention(q[:, :, here], cache.k, cache.v, cache.length)
    return o
