# A cache of its own for every sequence of the batch, a while loop over the passes.
def prefill_then_decode(q: Tensor, k: Tensor, v: Tensor, prompt: int) -> Tensor:
    batch, heads, n, d = k.shape
    o = torch.empty((batch, heads, n, d), dtype=q.dtype)
    for b in range(batch):
        cache = KVCache(1, heads, n, d)
        begin, end = 0, prompt
        while begin < n:
            cache.append(k[b : b + 1, :, begin:end], v[b : b + 1, :, begin:end])
            o[b : b + 1, :, begin:end] = cached_attention(
                q[b : b + 1, :, begin:end], cache.k, cache.v, end
            )
            begin, end = end, end + 1
    return o
