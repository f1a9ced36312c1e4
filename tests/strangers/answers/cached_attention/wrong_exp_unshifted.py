# Exponentiates raw scores: inf/inf = NaN for scores above 88, and 0/0 when all are below -104.
def cached_attention(
    q: Tensor, k_cache: Tensor, v_cache: Tensor, length: int, scale: float | None = None
) -> Tensor:
    n, d = q.shape[2:]
    scale = d**-0.5 if scale is None else scale
    out = torch.zeros(*q.shape[:3], v_cache.shape[-1])
    for i in range(n):
        upto = length - n + i + 1
        e = torch.exp(scale * (k_cache[:, :, :upto] @ q[:, :, i, :, None]).squeeze(-1))
        num = (e[:, :, None] @ v_cache[:, :, :upto]).squeeze(2)
        out[:, :, i] = num / e.sum(-1, keepdim=True)
    return out
