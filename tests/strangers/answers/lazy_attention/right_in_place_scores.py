# Works inside the one tile of scores in place, with (H, rows, 1) states, and stops at the last key that the tile of queries can see.
def lazy_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    tile_m: int,
    tile_n: int,
    causal: bool = False,
    scale: float | None = None,
) -> Tensor:
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_empty(q.shape[0], n_q, v.shape[-1])
    for i in range(0, n_q, tile_m):
        q_tile = q[:, i : i + tile_m]
        heads, rows = q_tile.shape[:2]
        acc = q.new_zeros(heads, rows, v.shape[-1])
        l = q.new_zeros(heads, rows, 1)
        m = q.new_full((heads, rows, 1), -torch.inf)
        last = torch.arange(i, i + rows, device=q.device) + (n_k - n_q)
        stop = min(n_k, i + rows + n_k - n_q) if causal else n_k
        for j in range(0, stop, tile_n):
            s = torch.bmm(q_tile, k[:, j : j + tile_n].transpose(1, 2)).mul_(scale)
            if causal:
                keys = torch.arange(j, j + s.shape[-1], device=q.device)
                s.masked_fill_(keys > last[:, None], -torch.inf)
            m_new = torch.maximum(m, s.amax(dim=-1, keepdim=True))
            base = m_new.masked_fill(m_new == -torch.inf, 0)
            s.sub_(base).exp_()
            a = torch.exp(m - base)
            l.mul_(a).add_(s.sum(dim=-1, keepdim=True))
            acc.mul_(a).add_(torch.bmm(s, v[:, j : j + tile_n]))
            m = m_new
        o[:, i : i + rows] = acc.div_(l.masked_fill_(l == 0, 1))
    return o
