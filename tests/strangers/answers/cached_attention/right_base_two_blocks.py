# Right: one head at a time, the past and the triangle of the new tokens as two blocks, powers of two.
def _one_head(q, k, v, past, scale):
    n = q.shape[0]
    s = torch.empty(n, past + n, dtype=q.dtype, device=q.device)
    s[:, :past] = q @ k[:past].T
    s[:, past:] = q @ k[past : past + n].T
    s *= scale * 1.4426950408889634
    s[:, past:] += torch.full((n, n), -torch.inf, device=q.device).triu(1)
    s -= s.amax(dim=1, keepdim=True)
    s.exp2_()
    return (s @ v[: past + n]) / s.sum(dim=1, keepdim=True)


def cached_attention(
    q: Tensor, k_cache: Tensor, v_cache: Tensor, length: int, scale: float | None = None
) -> Tensor:
    batch, heads, n, d = q.shape
    scale = d**-0.5 if scale is None else scale
    o = torch.empty(batch, heads, n, v_cache.shape[3], dtype=q.dtype, device=q.device)
    if n == 0:
        return o
    for b in range(batch):
        for h in range(heads):
            o[b, h] = _one_head(q[b, h], k_cache[b, h], v_cache[b, h], length - n, scale)
    return o
