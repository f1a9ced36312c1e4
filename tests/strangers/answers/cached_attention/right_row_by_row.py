# No mask at all: each query multiplies just the slice of keys it may see, one row of scores at a time.
def cached_attention(
    q: Tensor, k_cache: Tensor, v_cache: Tensor, length: int, scale: float | None = None
) -> Tensor:
    n, d = q.shape[2:]
    scale = d**-0.5 if scale is None else scale
    out = q.new_zeros(*q.shape[:3], v_cache.shape[3])
    for b in range(q.shape[0]):
        for h in range(q.shape[1]):
            K, V = k_cache[b, h], v_cache[b, h]
            for i in range(n):
                upto = length - n + i + 1
                weights = torch.softmax(torch.mv(K[:upto], q[b, h, i]) * scale, 0)
                out[b, h, i] = weights @ V[:upto]
    return out
