# Hidden scores are -inf and rows without keys are shifted by 0 and then cleared.
def recompute_probabilities(
    q: Tensor, k: Tensor, L: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> Tensor:
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    s = (q * scale) @ k.mT
    if mask is not None:
        s = s.masked_fill(mask.logical_not(), -torch.inf)
    empty = torch.isneginf(L)
    shift = torch.where(empty, torch.zeros_like(L), L)
    p = (s - shift[:, None]).exp()
    p[empty] = 0
    return p
