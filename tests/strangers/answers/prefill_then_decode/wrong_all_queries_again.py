# Wrong: every decode pass hands in all queries so far and keeps the last row, so a pass has N^2 scores where the contract allows N; values are right, memory is O(B H N^2) for a short prompt (and the caller gets slow, not wrong, numbers).
def prefill_then_decode(q: Tensor, k: Tensor, v: Tensor, prompt: int) -> Tensor:
    batch, heads, n, d = k.shape
    cache = KVCache(batch, heads, n, d)
    cache.append(k[:, :, :prompt], v[:, :, :prompt])
    out = torch.empty_like(v)
    out[:, :, :prompt] = cached_attention(q[:, :, :prompt], cache.k, cache.v, cache.length)
    while cache.length < n:
        t = cache.length
        cache.append(k[:, :, t, None], v[:, :, t, None])
        seen = q[:, :, : cache.length]
        out[:, :, t] = cached_attention(seen, cache.k, cache.v, cache.length)[:, :, -1]
    return out
