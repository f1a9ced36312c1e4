# Fills a tensor shaped like q head by head, so it fails (or broadcasts, where d_v = 1) as soon as the values are not as wide as the keys.
def cached_attention(
    q: Tensor, k_cache: Tensor, v_cache: Tensor, length: int, scale: float | None = None
) -> Tensor:
    n, d = q.shape[2:]
    scale = d**-0.5 if scale is None else scale
    o = torch.empty_like(q)
    for b, h in [(b, h) for b in range(q.shape[0]) for h in range(q.shape[1])]:
        for i, p in enumerate(range(length - n, length)):
            s = k_cache[b, h, : p + 1] @ q[b, h, i] * scale
            o[b, h, i] = s.softmax(0) @ v_cache[b, h, : p + 1]
    return o
