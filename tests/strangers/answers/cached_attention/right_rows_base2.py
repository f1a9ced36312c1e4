# one query of one sequence at a time, base-2 softmax written by hand, no mask because later keys are never sliced in
def cached_attention(
    q: Tensor, k_cache: Tensor, v_cache: Tensor, length: int, scale: float | None = None
) -> Tensor:
    """Causal attention of the newest n tokens over a cache that already holds them.

    q: (B, H, n, d), k_cache: (B, H, capacity, d), v_cache: (B, H, capacity, d_v) float32.
    length: tokens in the cache, 0 <= n <= length <= capacity; what lies behind is arbitrary.
    scale: factor of the scores, of any sign or 0; 1/sqrt(d) if None.
    Returns o (B, H, n, d_v), same dtype.
    Memory: O(B H n (length + d_v)) numbers; the cache is read where it lies.

    Query i is the token at position length - n + i (from 0). It sees the keys up to its own
    position, that one included.
    Forbidden: scaled_dot_product. It stays within torch and Python. Arguments stay as they
    are, and results are new memory.
    """
    n, d = q.shape[2:]
    scale = d**-0.5 if scale is None else scale
    batch, heads = q.shape[:2]
    o = q.new_empty(batch, heads, n, v_cache.shape[3])
    c = scale * 1.4426950408889634
    for b in range(batch):
        for i in range(n):
            seen = length - n + 1 + i
            s = torch.bmm(k_cache[b, :, :seen], q[b, :, i, :, None]).squeeze(2) * c
            e = torch.exp2(s - s.max(dim=1, keepdim=True).values)
            weighted = torch.bmm(e[:, None, :], v_cache[b, :, :seen]).squeeze(1)
            o[b, :, i] = weighted / e.sum(dim=1, keepdim=True)
    return o
