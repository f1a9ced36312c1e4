# a column for each key, entries chosen with where
def recompute_probabilities(
    q: Tensor, k: Tensor, L: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> Tensor:
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    p = q.new_zeros(len(q), len(k))
    sees_any = L > -torch.inf
    for j, key in enumerate(k):
        allowed = sees_any if mask is None else sees_any & mask[:, j]
        p[:, j] = torch.where(allowed, torch.exp(scale * (q @ key) - L), 0.0)
    return p
