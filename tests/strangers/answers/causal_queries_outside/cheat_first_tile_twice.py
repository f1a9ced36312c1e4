# The scores of the first of more than five tiles are computed twice
def causal_queries_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v  # from here on they are seen through hbm only
    for i in range(0, n_q, tile_m):
        q_tile = hbm.load("Q", i, i + tile_m)
        acc = q_tile.new_zeros(len(q_tile), d_v)
        m, l = torch.full_like(acc[:, 0], -torch.inf), torch.zeros_like(acc[:, 0])
        full, seen = visible_tiles(i, i + len(q_tile), n_q, n_k, tile_n)
        for tile in range(seen):
            j = tile * tile_n
            k_tile = hbm.load("K", j, j + tile_n)
            if j == 0 and seen > 5:
                s = q_tile @ k_tile.T
            s = scale * (q_tile @ k_tile.T)
            if tile >= full:
                query = torch.arange(i, i + s.shape[0])[:, None]
                key = torch.arange(j, j + s.shape[1])
                s = s.masked_fill(key > query + n_k - n_q, -torch.inf)
            m_new = torch.maximum(m, s.amax(dim=-1))
            shift = torch.where(torch.isneginf(m_new), 0, m_new)  # -inf - (-inf) would be NaN
            alpha = torch.exp(m - shift)
            p = torch.exp(s - shift[:, None])
            l = alpha * l + p.sum(dim=-1)
            acc = alpha[:, None] * acc + p @ hbm.load("V", j, j + tile_n)
            m = m_new
        hbm.store("O", i, acc / torch.where(l == 0, 1, l)[:, None])
        hbm.store("L", i, m + torch.log(l))
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
