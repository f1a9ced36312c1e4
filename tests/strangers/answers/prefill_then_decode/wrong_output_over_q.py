# Writes each pass's output over the queries that it no longer needs, through q.contiguous(): a contiguous q is modified and returned as o.
def prefill_then_decode(q: Tensor, k: Tensor, v: Tensor, prompt: int) -> Tensor:
    batch, heads, n, d = k.shape
    q = q.contiguous()
    cache = KVCache(batch, heads, n, d)
    begin = 0
    for end in range(prompt, n + 1):
        cache.append(k[:, :, begin:end], v[:, :, begin:end])
        q[:, :, begin:end] = cached_attention(q[:, :, begin:end], cache.k, cache.v, end)
        begin = end
    return q
