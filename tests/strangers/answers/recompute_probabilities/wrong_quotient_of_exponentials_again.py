# computes exp(S) / exp(L): inf / inf is NaN when scores exceed 88, and all is 0 when L lies below -104
def recompute_probabilities(
    q: Tensor, k: Tensor, L: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> Tensor:
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    numerator = torch.exp(scale * q @ k.T)
    if mask is not None:
        numerator = torch.where(mask, numerator, torch.zeros_like(numerator))
    denominator = torch.exp(L)[:, None]
    return torch.where(denominator > 0, numerator / denominator, torch.zeros_like(numerator))
