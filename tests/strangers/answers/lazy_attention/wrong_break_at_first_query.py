# Leaves the loop over keys once the tile of keys begins behind the last key of the tile's FIRST query, so later queries of the tile lose keys: causal with tile_m > tile_n, or with tiles not aligned to N_k - N_q.
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
        m = torch.full(q_tile.shape[:2], -torch.inf, dtype=q.dtype, device=q.device)
        l = torch.zeros_like(m)
        acc = q.new_zeros(*q_tile.shape[:2], v.shape[-1])
        row = torch.arange(i, i + q_tile.shape[1], device=q.device) + n_k - n_q
        for j in range(0, n_k, tile_n):
            if causal and j > i + n_k - n_q:
                break  # everything from here on is in the future
            s = scale * (q_tile @ k[:, j : j + tile_n].mT)
            if causal:
                col = torch.arange(j, j + s.shape[-1], device=q.device)
                s = s.masked_fill(col[None, :] > row[:, None], -torch.inf)
            m_new = torch.maximum(m, s.max(dim=-1).values)
            ref = torch.where(m_new.isneginf(), torch.zeros_like(m_new), m_new)
            p = torch.exp(s - ref[..., None])
            a = torch.exp(m - ref)
            l = a * l + p.sum(dim=-1)
            acc = a[..., None] * acc + p @ v[:, j : j + tile_n]
            m = m_new
        l = torch.where(l == 0, torch.ones_like(l), l)
        o[:, i : i + tile_m] = acc / l[..., None]
    return o
