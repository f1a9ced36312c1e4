# student: a decode step looks before it appends; a token does not see itself (prompt < N)
def prefill_then_decode(q: Tensor, k: Tensor, v: Tensor, prompt: int) -> Tensor:
    batch, heads, n, d = k.shape
    cache = KVCache(batch, heads, n, d)
    cache.append(k[:, :, :prompt], v[:, :, :prompt])
    outputs = [cached_attention(q[:, :, :prompt], cache.k, cache.v, prompt)]
    for t in range(prompt, n):
        outputs.append(cached_attention(q[:, :, t : t + 1], cache.k, cache.v, cache.length))
        cache.append(k[:, :, t : t + 1], v[:, :, t : t + 1])
    return torch.cat(outputs, dim=2)
