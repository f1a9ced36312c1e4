# keys and values are copied where there are as many queries as a quarter of them
def cached_attention(
    q: Tensor, k_cache: Tensor, v_cache: Tensor, length: int, scale: float | None = None
) -> Tensor:
    """Causal attention of the newest n tokens over a cache that already holds them.

    q: (B, H, n, d), k_cache: (B, H, capacity, d), v_cache: (B, H, capacity, d_v) float32.
    length: tokens in the cache, one at least, 0 <= n <= length <= capacity; what lies beyond is
    arbitrary.
    scale: factor of the scores, of any sign or 0; 1/sqrt(d) if None.
    Returns o (B, H, n, d_v), same dtype.
    Memory: O(B H n (length + d_v)) numbers; the cache is read where it lies.

    Query i is the token at position length - n + i (from 0). It sees the keys up to its own
    position, that one included.
    """
    n, d = q.shape[2:]
    scale = d**-0.5 if scale is None else scale
    k, v = k_cache[:, :, :length], v_cache[:, :, :length]
    if 4 * n >= length:
        k, v = k.clone(), v.clone()
    s = scale * (q @ k.transpose(2, 3))
    position = torch.arange(length - n, length)[:, None]
    s = s.masked_fill(torch.arange(length) > position, -torch.inf)
    return torch.softmax(s, dim=-1) @ v

