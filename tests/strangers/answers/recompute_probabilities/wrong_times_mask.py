# Multiplies the exponential by the mask: inf * 0 = NaN for queries with L = -inf, and wherever a masked score is more than 88 above L.
def recompute_probabilities(
    q: Tensor, k: Tensor, L: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> Tensor:
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    p = torch.exp(scale * (q @ k.T) - L[:, None])
    if mask is not None:
        p = p * mask.to(p.dtype)
    return p
