# Masks the score only: a query that sees nothing gives exp(-inf + inf) = NaN.
def recompute_probabilities(
    q: Tensor, k: Tensor, L: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> Tensor:
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    s = q @ k.T * scale
    if mask is not None:
        s = s.masked_fill(~mask, float("-inf"))
    return torch.exp(s - L[:, None])
