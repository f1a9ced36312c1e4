# Appends a column of ones to V so that one product gives P V and the row sums together; torch.split gives the row ranges.
def keys_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor, int, int]:
    n_q, n_k = len(q), len(k)
    scale = q.shape[1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    m, l = q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    hbm = Memory(Q=q, K=k, V=v, O=o, m=m, l=l)
    del q, k, v, o, m, l  # from here on they are seen through hbm only
    row_tiles = torch.arange(n_q).split(tile_m)
    for cols in torch.arange(n_k).split(tile_n):
        lo, hi = int(cols[0]), int(cols[-1]) + 1
        Kj = hbm.load("K", lo, hi)
        Vj = hbm.load("V", lo, hi)
        Vj = torch.cat([Vj, Vj.new_ones(len(Vj), 1)], dim=1)
        for rows in row_tiles:
            a, b = int(rows[0]), int(rows[-1]) + 1
            Qi, Oi = hbm.load("Q", a, b), hbm.load("O", a, b)
            mi, li = hbm.load("m", a, b), hbm.load("l", a, b)
            S = torch.einsum("id,jd->ij", Qi, Kj).mul_(scale)
            m_new = torch.cat([mi[:, None], S], dim=1).amax(1)
            numerator = (S - m_new[:, None]).exp_() @ Vj
            back = (li * (mi - m_new).exp())[:, None]
            numerator += back * torch.cat([Oi, Oi.new_ones(len(Oi), 1)], dim=1)
            l_new = numerator[:, -1]
            hbm.store("O", a, numerator[:, :-1] / l_new[:, None])
            hbm.store("m", a, m_new)
            hbm.store("l", a, l_new)
    o, m, l = (hbm.tensors[name] for name in ("O", "m", "l"))
    return o, m, l, hbm.loads, hbm.stores
