# Returns the weighted sum without dividing it by l; a query that sees no key ends as NaN besides.
def attention_block(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    if scale is None:
        scale = 1 / q.shape[1] ** 0.5
    scores = scale * (q @ k.T)
    if mask is not None:
        scores[~mask] = -torch.inf
    m = scores.max(dim=1).values
    weights = torch.exp(scores - m[:, None])
    return weights @ v, m, weights.sum(dim=1)
