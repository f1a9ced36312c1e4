# Right: replaces L = -inf by 0 and masked scores by -inf before the exponential, so nothing infinite is subtracted.
def recompute_probabilities(
    q: Tensor, k: Tensor, L: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> Tensor:
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    logits = torch.einsum("ic,jc->ij", q, k) * scale
    if mask is not None:
        logits = logits.masked_fill(mask.logical_not(), float("-inf"))
    shift = L.masked_fill(torch.isneginf(L), 0.0)
    return (logits - shift.unsqueeze(-1)).exp()
