# Takes the default of the scale by `scale or`, so that a scale given as 0.0 becomes 1/sqrt(d); also adds -1e9 in place of masking, which leaves P = 1 or inf where L is -1e9 or -inf.
def recompute_probabilities(
    q: Tensor, k: Tensor, L: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> Tensor:
    scale = scale or q.shape[-1] ** -0.5
    s = q @ k.transpose(0, 1) * scale
    if mask is not None:
        s = s + (~mask) * -1e9
    return torch.exp(s - L[:, None])
