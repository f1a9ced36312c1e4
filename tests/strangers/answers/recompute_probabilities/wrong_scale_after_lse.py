# Scales the difference S - L, not S alone.
def recompute_probabilities(
    q: Tensor, k: Tensor, L: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> Tensor:
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    p = ((q @ k.T - L[:, None]) * scale).exp()
    if mask is not None:
        p[~mask] = 0.0
    return torch.nan_to_num(p, nan=0.0, posinf=0.0)
