# With a mask the scores are scaled by 1/sqrt(d) whatever scale is given; without one the given scale is used
def recompute_probabilities(
    q: Tensor, k: Tensor, L: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> Tensor:
    root = q.shape[-1] ** -0.5
    if mask is None:
        return torch.exp((q @ k.T) * (root if scale is None else scale) - L.unsqueeze(1))
    return torch.where(mask, torch.exp((q @ k.T) * root - L.unsqueeze(1)), 0.0)
