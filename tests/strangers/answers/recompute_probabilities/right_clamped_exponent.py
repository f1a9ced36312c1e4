# the exponent is never positive, so it is clamped at 0: no overflow under the mask, dead rows included, and a product with the mask is safe
def recompute_probabilities(
    q: Tensor, k: Tensor, L: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> Tensor:
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    exponent = torch.einsum("ic,jc->ij", q, k).mul_(scale).sub_(L[:, None])
    p = exponent.clamp_(max=0.0).exp_()
    if mask is not None:
        p.mul_(mask)
    return p
