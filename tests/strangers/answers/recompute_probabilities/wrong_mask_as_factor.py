# multiplies the probabilities by the mask: a masked score far above L (by 89 or more), or a query with L = -inf, gives inf * 0 = NaN
def recompute_probabilities(
    q: Tensor, k: Tensor, L: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> Tensor:
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    p = torch.exp(scale * q @ k.T - L.unsqueeze(-1))
    if mask is not None:
        p = p * mask.to(p.dtype)
    return p.masked_fill(L[:, None] == -torch.inf, 0) if mask is None else p
