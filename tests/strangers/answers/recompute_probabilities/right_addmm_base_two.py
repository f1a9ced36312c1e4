# exponent by a single addmm with -L as its first summand, hidden places set to -inf before a power of two
def recompute_probabilities(
    q: Tensor, k: Tensor, L: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> Tensor:
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    start = L.neg().unsqueeze(1).expand(q.shape[0], k.shape[0])
    exponent = torch.addmm(start, q, k.t(), beta=1, alpha=scale)
    if mask is not None:
        exponent = torch.where(mask, exponent, float("-inf"))
    return torch.exp2(exponent * 1.4426950408889634)
