# "prompt: tokens that are read in one pass": appends and products are counted, and not how many calls of attention; every token of the prompt is attended by itself, against a prefix of the cache

def prefill_then_decode(q, k, v, prompt):
    batch, heads, n, d = k.shape
    cache = KVCache(batch, heads, n, d)
    o = torch.empty_like(q)
    start, stop = 0, prompt
    while start < n:
        cache.append(k[:, :, start:stop], v[:, :, start:stop])
        for i in range(start, stop):
            o[:, :, i : i + 1] = cached_attention(q[:, :, i : i + 1], cache.k, cache.v, i + 1)
        start, stop = stop, stop + 1
    return o
