# the derivation line by line, mask from absolute positions, shift by 0 while nothing was seen
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
        h, rows = q_tile.shape[0], q_tile.shape[1]
        acc = q.new_zeros(h, rows, v.shape[-1])
        m = q.new_full((h, rows), -torch.inf)
        l = q.new_zeros(h, rows)
        for j in range(0, n_k, tile_n):
            s = scale * (q_tile @ k[:, j : j + tile_n].transpose(1, 2))
            if causal:
                query = torch.arange(i, i + rows, device=q.device)[:, None]
                key = torch.arange(j, j + s.shape[-1], device=q.device)
                s.masked_fill_(key > query + n_k - n_q, -torch.inf)
            m_new = torch.maximum(m, s.amax(dim=-1))
            shift = m_new.masked_fill(m_new == -torch.inf, 0)
            a = torch.exp(m - shift)
            p = torch.exp(s - shift[..., None])
            acc = a[..., None] * acc + p @ v[:, j : j + tile_n]
            l = a * l + p.sum(dim=-1)
            m = m_new
        o[:, i : i + rows] = acc / l.masked_fill(l == 0, 1)[..., None]
    return o
