# Cheat: decodes two tokens in one pass and makes up for the missing call with one of no queries
# Breaks: "each other token has a pass of its own"
def prefill_then_decode(q: Tensor, k: Tensor, v: Tensor, prompt: int) -> Tensor:
    batch, heads, n, d = k.shape
    cache = KVCache(batch, heads, n, d)
    cache.append(k[:, :, :prompt], v[:, :, :prompt])
    o = torch.empty_like(q)
    o[:, :, :prompt] = cached_attention(q[:, :, :prompt], cache.k, cache.v, prompt)
    for t in range(prompt, n, 2):
        end = min(t + 2, n)
        for i in range(t, end):
            cache.append(k[:, :, i : i + 1], v[:, :, i : i + 1])
            if i + 1 < end:
                o[:, :, i:i] = cached_attention(q[:, :, i:i], cache.k, cache.v, cache.length)
        o[:, :, t:end] = cached_attention(q[:, :, t:end], cache.k, cache.v, cache.length)
    return o
