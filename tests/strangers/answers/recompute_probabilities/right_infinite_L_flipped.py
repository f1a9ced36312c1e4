# turns L = -inf into +inf, so that the exponential itself gives 0; masked entries are filled afterwards
def recompute_probabilities(
    q: Tensor, k: Tensor, L: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> Tensor:
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    L = torch.where(torch.isneginf(L), torch.inf, L)
    p = torch.addmm(-L[:, None], q, k.T, alpha=scale).exp()
    return p if mask is None else p.masked_fill(~mask, 0)
