# masks only the last tile it visits, as if the diagonal cut a single one: with tile_m > tile_n, or an offset that is no multiple of the tile, earlier queries of a tile see the future
def causal_queries_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v  # from here on they are seen through hbm only
    for i in range(0, n_q, tile_m):
        Q = hbm.load("Q", i, i + tile_m)
        rows = i + torch.arange(len(Q))
        full, seen = visible_tiles(i, i + len(Q), n_q, n_k, tile_n)
        acc = Q.new_zeros(len(Q), d_v)
        m = Q.new_full((len(Q),), -torch.inf)
        l = Q.new_zeros(len(Q))
        for t in range(seen):
            K = hbm.load("K", t * tile_n, (t + 1) * tile_n)
            V = hbm.load("V", t * tile_n, (t + 1) * tile_n)
            S = scale * Q @ K.T
            if t == seen - 1:  # here runs the diagonal
                keys = t * tile_n + torch.arange(len(K))
                S[keys[None, :] > rows[:, None] + n_k - n_q] = -torch.inf
            m_new = torch.maximum(m, S.amax(dim=1))
            safe = torch.where(torch.isinf(m_new), 0.0, m_new)
            alpha, P = torch.exp(m - safe), torch.exp(S - safe[:, None])
            l = alpha * l + P.sum(dim=1)
            acc = alpha[:, None] * acc + P @ V
            m = m_new
        l_safe = torch.where(l == 0, 1.0, l)
        hbm.store("O", i, acc / l_safe[:, None])
        hbm.store("L", i, m + torch.log(l_safe))
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
