# Does not load O, m and l at the first tile of keys ('zeros are not counted' misread): loads are too few by N_q (d_v + 2) on every input.
def keys_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor, int, int]:
    n_q, n_k = len(q), len(k)
    scale = q.shape[1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    m, l = q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    hbm = Memory(Q=q, K=k, V=v, O=o, m=m, l=l)
    del q, k, v, o, m, l  # from here on they are seen through hbm only
    for j in range(0, n_k, tile_n):
        kj, vj = hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n)
        for i in range(0, n_q, tile_m):
            qi = hbm.load("Q", i, i + tile_m)
            s = scale * qi @ kj.T
            m_tile = s.amax(dim=-1)
            p = torch.exp(s - m_tile[:, None])
            if j == 0:  # nothing there yet: the zeros of the start are not counted
                l_new = p.sum(dim=-1)
                o_new, m_new = p @ vj / l_new[:, None], m_tile
            else:
                oi, mi, li = hbm.load("O", i, i + tile_m), hbm.load("m", i, i + tile_m), hbm.load("l", i, i + tile_m)
                m_new = torch.maximum(mi, m_tile)
                a, b = torch.exp(mi - m_new), torch.exp(m_tile - m_new)
                l_new = a * li + b * p.sum(dim=-1)
                o_new = ((a * li)[:, None] * oi + b[:, None] * (p @ vj)) / l_new[:, None]
            hbm.store("O", i, o_new)
            hbm.store("m", i, m_new)
            hbm.store("l", i, l_new)
    o, m, l = (hbm.tensors[name] for name in ("O", "m", "l"))
    return o, m, l, hbm.loads, hbm.stores
