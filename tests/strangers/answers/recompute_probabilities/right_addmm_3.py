# one addmm: -L comes in as the bias
def recompute_probabilities(
    q: Tensor, k: Tensor, L: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> Tensor:
    factor = q.shape[-1] ** -0.5 if scale is None else scale
    bias = L.neg().unsqueeze(1).expand(len(q), len(k))
    p = torch.addmm(bias, q, k.t(), alpha=factor).exp_()
    return p if mask is None else p.masked_fill_(~mask, 0.0)
