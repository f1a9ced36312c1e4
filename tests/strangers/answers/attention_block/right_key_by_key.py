# style: right; the online recurrence, one key after the other, for all queries at once
def attention_block(
    q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    n, keys = q.shape[0], k.shape[0]
    factor = q.shape[-1] ** -0.5 if scale is None else scale
    S = torch.einsum("nd,md->mn", q, k) * factor
    if mask is not None:
        S = torch.where(mask.T, S, -torch.inf)
    m = q.new_full((n,), -torch.inf)
    l = q.new_zeros(n)
    acc = q.new_zeros(n, v.shape[1])
    for j in range(keys):
        new = torch.maximum(m, S[j])
        base = torch.where(new == -torch.inf, torch.zeros_like(new), new)
        alpha, p = torch.exp(m - base), torch.exp(S[j] - base)
        l = l * alpha + p
        acc = acc * alpha[:, None] + torch.outer(p, v[j])
        m = new
    return acc / torch.where(l > 0, l, torch.ones_like(l))[:, None], m, l
