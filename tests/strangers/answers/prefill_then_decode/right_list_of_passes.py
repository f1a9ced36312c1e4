# A list of passes (begin, end) first, then one loop over them that reads through contents().
def prefill_then_decode(q, k, v, prompt):
    batch, heads, n, d = k.shape
    ends = [prompt, *range(prompt + 1, n + 1)]
    cache, o, begin = KVCache(batch, heads, n, d), torch.empty_like(v), 0
    for end in ends:
        cache.append(k[:, :, begin:end], v[:, :, begin:end])
        keys, values = cache.contents()
        o[:, :, begin:end] = cached_attention(q[:, :, begin:end], keys, values, end)
        begin = end
    return o
