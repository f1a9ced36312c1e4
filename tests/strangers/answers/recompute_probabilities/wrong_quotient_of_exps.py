# Divides exp(S) by exp(L): overflows to inf / inf for scores above 88, 0 / 0 for very negative ones.
def recompute_probabilities(
    q: Tensor, k: Tensor, L: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> Tensor:
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    numerator = torch.exp(scale * q @ k.transpose(-2, -1))
    if mask is not None:
        numerator = numerator.masked_fill(~mask, 0)
    denominator = torch.exp(L).unsqueeze(1)
    return torch.where(denominator > 0, numerator / denominator, torch.zeros_like(numerator))
