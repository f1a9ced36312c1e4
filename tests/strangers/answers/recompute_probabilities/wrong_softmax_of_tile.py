# A softmax over the given keys: right if they are all the keys, wrong for some of them.
def recompute_probabilities(
    q: Tensor, k: Tensor, L: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> Tensor:
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    s = scale * q @ k.T
    if mask is not None:
        s = s.masked_fill(~mask, -torch.inf)
    return torch.softmax(s, dim=-1).nan_to_num(0.0)
