# hides scores with -1e9: where N_q > N_k, a query without keys that shares its tile with one that has some gets the mean of the loaded values and L of about -1e9
def causal_queries_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v  # from here on they are seen through hbm only
    for i in range(0, n_q, tile_m):
        end = min(i + tile_m, n_q)
        full, seen = visible_tiles(i, end, n_q, n_k, tile_n)
        qt = hbm.load("Q", i, end)
        acc = qt.new_zeros(len(qt), d_v)
        m, l = qt.new_full((len(qt),), -torch.inf), qt.new_zeros(len(qt))
        for t in range(seen):
            j = t * tile_n
            kt, vt = hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n)
            s = scale * qt @ kt.T
            if t >= full:
                rows = torch.arange(i, end)[:, None]
                cols = torch.arange(j, j + len(kt))[None, :]
                s = s.masked_fill(cols > rows + n_k - n_q, -1e9)
            m_new = torch.maximum(m, s.amax(dim=1))
            alpha, p = torch.exp(m - m_new), torch.exp(s - m_new[:, None])
            l = alpha * l + p.sum(dim=1)
            acc = alpha[:, None] * acc + p @ vt
            m = m_new
        nothing = l == 0
        l = torch.where(nothing, 1.0, l)
        hbm.store("O", i, acc / l[:, None])
        hbm.store("L", i, m + torch.log(l))
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
