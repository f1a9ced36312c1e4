# heads and queries one by one, matrices times vectors: no mask, only slices of the buffers
def cached_attention(
    q: Tensor, k_cache: Tensor, v_cache: Tensor, length: int, scale: float | None = None
) -> Tensor:
    n, d = q.shape[2:]
    scale = d**-0.5 if scale is None else scale
    batch, heads = q.shape[:2]
    o = q.new_empty(batch, heads, n, v_cache.shape[3])
    for b in range(batch):
        for h in range(heads):
            keys, values = k_cache[b, h], v_cache[b, h]
            for i in range(n):
                seen = length - n + i + 1
                s = torch.mv(keys[:seen], q[b, h, i]) * scale
                e = torch.exp(s - s.max())
                o[b, h, i] = torch.mv(values[:seen].T, e) / e.sum()
    return o
