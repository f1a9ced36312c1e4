# The causal mask of a tile of queries and all keys is made at once, in bytes
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
        acc = torch.zeros_like(o[:, i : i + tile_m])
        m = torch.full_like(acc[..., :1], -torch.inf)
        l = torch.zeros_like(m)
        hidden = torch.ones(q_tile.shape[1], n_k, dtype=torch.bool).triu_(i + n_k - n_q + 1) if causal else None
        for j in range(0, n_k, tile_n):
            s = scale * (q_tile @ k[:, j : j + tile_n].transpose(1, 2))
            if causal:
                s = s.masked_fill(hidden[:, j : j + tile_n], -torch.inf)
            m_new = torch.maximum(m, s.amax(dim=-1, keepdim=True))
            shift = torch.where(torch.isneginf(m_new), 0, m_new)  # -inf - (-inf) would be NaN
            alpha = torch.exp(m - shift)
            p = torch.exp(s - shift)
            l = alpha * l + p.sum(dim=-1, keepdim=True)
            acc = alpha * acc + p @ v[:, j : j + tile_n]
            m = m_new
        o[:, i : i + tile_m] = acc / torch.where(l == 0, 1, l)
    return o
