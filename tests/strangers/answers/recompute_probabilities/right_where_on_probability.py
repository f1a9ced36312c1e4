# Masks the probability by torch.where and treats L = -inf through the mask or a shift of 0.
def recompute_probabilities(
    q: Tensor, k: Tensor, L: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> Tensor:
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    s = scale * (q @ k.T)
    p = torch.exp(s - L[:, None])
    if mask is not None:
        p = torch.where(mask, p, torch.zeros_like(p))
    return torch.where(torch.isinf(L)[:, None], torch.zeros_like(p), p)
