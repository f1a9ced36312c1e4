# Reads the prompt with one unmasked attention "since it is all known" and only decodes through the cache: rows of the prompt see their future when prompt > 1.
def prefill_then_decode(q: Tensor, k: Tensor, v: Tensor, prompt: int) -> Tensor:
    batch, heads, n, d = k.shape
    cache = KVCache(batch, heads, n, d)
    cache.append(k[:, :, :prompt], v[:, :, :prompt])
    K, V = cache.contents()
    p = torch.softmax(q[:, :, :prompt] @ K.transpose(2, 3) * d**-0.5, dim=-1)
    o = [p @ V]
    for t in range(prompt, n):
        cache.append(k[:, :, t : t + 1], v[:, :, t : t + 1])
        o.append(cached_attention(q[:, :, t : t + 1], cache.k, cache.v, t + 1))
    return torch.cat(o, dim=2)
