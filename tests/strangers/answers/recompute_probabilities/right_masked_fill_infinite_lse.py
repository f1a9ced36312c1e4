# L of -inf is replaced by +inf, so that exp gives 0 there; hidden probabilities by masked_fill.
def recompute_probabilities(
    q: Tensor, k: Tensor, L: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> Tensor:
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    safe = L.masked_fill(L == -torch.inf, torch.inf)
    p = torch.einsum("md,nd->mn", q, k).mul(scale).sub(safe.unsqueeze(1)).exp()
    return p if mask is None else p.masked_fill(~mask, 0.0)
