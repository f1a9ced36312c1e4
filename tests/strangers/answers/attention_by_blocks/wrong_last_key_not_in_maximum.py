# Wrong: its running maximum never looks at the last key of all, whose exponential overflows where it scores most by far.
def attention_by_blocks(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    order: list[int],
    tile_n: int,
    causal: bool = False,
    scale: float | None = None,
) -> tuple[Tensor, Tensor]:
    n_q, n_k = q.shape[0], k.shape[0]
    factor = q.shape[1] ** -0.5 if scale is None else scale
    acc = q.new_zeros(n_q, v.shape[1])
    m = q.new_full((n_q, 1), -torch.inf)
    l = q.new_zeros(n_q, 1)
    newest = torch.arange(n_k - n_q, n_k).unsqueeze(1)  # the last key that each query may see

    for start in (b * tile_n for b in order):
        keys, values = k[start : start + tile_n], v[start : start + tile_n]
        weights = torch.mm(q, keys.T).mul_(factor)
        if causal:
            where = torch.arange(start, start + len(keys)).unsqueeze(0)
            weights.masked_fill_(where > newest, -torch.inf)
        looked_at = weights
        if start + len(keys) == n_k and l.any():
            looked_at = torch.cat([m, weights[:, :-1]], dim=1)
        top = torch.maximum(m, looked_at.amax(dim=1, keepdim=True))
        base = torch.where(top == -torch.inf, torch.zeros_like(top), top)
        weights.sub_(base).exp_()
        alpha = torch.exp(m - base)
        l = alpha * l + weights.sum(dim=1, keepdim=True)
        acc = torch.addmm(acc.mul_(alpha), weights, values)
        m = top

    o = torch.where(l > 0, acc / l, torch.zeros_like(acc))
    return o, (m + torch.log(l)).squeeze(1)
