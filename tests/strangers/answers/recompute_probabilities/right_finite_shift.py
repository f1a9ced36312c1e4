# hides the scores, with L of -inf replaced by 0 so that no infinity meets another
def recompute_probabilities(
    q: Tensor, k: Tensor, L: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> Tensor:
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    scores = torch.einsum("md,nd->mn", q, k) * scale
    if mask is not None:
        scores = scores.masked_fill(mask.logical_not(), -torch.inf)
    shift = L.masked_fill(L == -torch.inf, 0.0)
    return (scores - shift[:, None]).exp()
