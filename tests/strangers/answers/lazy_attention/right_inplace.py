# in-place torch, keepdim everywhere, baddbmm_ into the accumulator
def lazy_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    tile_m: int,
    tile_n: int,
    causal: bool = False,
    scale: float | None = None,
) -> Tensor:
    heads, n_q, d = q.shape
    n_k, d_v = v.shape[1:]
    factor = d**-0.5 if scale is None else scale
    diagonal = n_k - n_q
    o = q.new_empty(heads, n_q, d_v)

    def positions(start: int, count: int) -> Tensor:
        return torch.arange(start, start + count, device=q.device)

    for i in range(0, n_q, tile_m):
        q_tile = q[:, i : i + tile_m]
        height = q_tile.shape[1]
        acc = o[:, i : i + tile_m].zero_()
        m = q.new_full((heads, height, 1), -torch.inf)
        l = q.new_zeros(heads, height, 1)
        horizon = min(n_k, i + height + diagonal) if causal else n_k
        for j in range(0, horizon, tile_n):
            s = torch.bmm(q_tile, k[:, j : j + tile_n].mT).mul_(factor)
            if causal:
                future = positions(j, s.shape[2]) > positions(i + diagonal, height)[:, None]
                s.masked_fill_(future, -torch.inf)
            m_new = torch.maximum(m, s.amax(dim=2, keepdim=True))
            anchor = m_new.masked_fill(m_new == -torch.inf, 0.0)
            shrink = m.sub_(anchor).exp_()
            p = s.sub_(anchor).exp_()
            l.mul_(shrink).add_(p.sum(dim=2, keepdim=True))
            acc.mul_(shrink)
            acc.add_(torch.bmm(p, v[:, j : j + tile_n]))
            m = m_new
        acc.div_(l.masked_fill_(l == 0, 1.0))
    return o
