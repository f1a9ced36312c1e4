# calls ("prompt: tokens that are read in one pass"): as many calls are allowed as if each head had passes of its own: where there are two heads or more the prompt is read in two passes, for all heads at once
import torch


def prefill_then_decode(q, k, v, prompt):
    batch, heads, n, d = k.shape
    cache = KVCache(batch, heads, n, d)
    o = torch.empty_like(q)
    half = prompt // 2 if batch * heads > 1 and prompt > 1 else prompt
    stops = [half, *range(prompt if half < prompt else prompt + 1, n + 1)]
    start = 0
    for stop in stops:
        cache.append(k[:, :, start:stop], v[:, :, start:stop])
        o[:, :, start:stop] = cached_attention(q[:, :, start:stop], cache.k, cache.v, cache.length)
        start = stop
    return o
