# early returns and guard clauses
def attention_block(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    n = q.shape[0]
    if k.shape[0] == 0:
        return q.new_zeros(n, v.shape[1]), q.new_full((n,), -torch.inf), q.new_zeros(n)

    if scale is None:
        scale = 1 / q.shape[1] ** 0.5
    scores = q @ k.T * scale

    if mask is None:
        m = scores.amax(1)
        p = torch.exp(scores - m[:, None])
        l = p.sum(1)
        return p @ v / l[:, None], m, l

    scores = torch.where(mask, scores, -torch.inf)
    m = scores.amax(1)
    sees = mask.any(1)
    p = torch.exp(scores - torch.where(sees, m, 0.0)[:, None])
    l = p.sum(1)
    return p @ v / torch.where(sees, l, 1.0)[:, None], m, l
