# Masks only the last visible tile: right while the diagonal cuts one tile (tile_m <= tile_n, aligned), wrong when it cuts several (tile_m > tile_n or N_k - N_q not a multiple of tile_n).
def causal_queries_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v  # from here on they are seen through hbm only
    for i in range(0, n_q, tile_m):
        qi = hbm.load("Q", i, i + tile_m)
        b = len(qi)
        _, seen = visible_tiles(i, i + b, n_q, n_k, tile_n)
        m, l, acc = torch.full((b,), -torch.inf), torch.zeros(b), torch.zeros(b, d_v)
        row = torch.arange(i, i + b)[:, None]
        for t in range(seen):
            kj, vj = hbm.load("K", t * tile_n, (t + 1) * tile_n), hbm.load("V", t * tile_n, (t + 1) * tile_n)
            s = scale * qi @ kj.T
            if t == seen - 1:  # the diagonal runs through the last tile
                col = t * tile_n + torch.arange(len(kj))
                s = torch.where(col <= row + n_k - n_q, s, -torch.inf)
            m_new = torch.maximum(m, s.amax(-1))
            base = torch.where(torch.isinf(m_new), 0.0, m_new)
            p, alpha = torch.exp(s - base[:, None]), torch.exp(m - base)
            l, acc, m = alpha * l + p.sum(-1), alpha[:, None] * acc + p @ vj, m_new
        hbm.store("O", i, acc / torch.where(l == 0, 1.0, l)[:, None])
        hbm.store("L", i, m + torch.log(l))
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
