# scales the row maximum of the raw scores instead of the scores, which for a negative scale is the minimum: the returned m (and l) are wrong there, and large scores overflow
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
            qi, oi = hbm.load("Q", i, i + tile_m), hbm.load("O", i, i + tile_m)
            mi, li = hbm.load("m", i, i + tile_m), hbm.load("l", i, i + tile_m)
            s = qi @ kj.T
            m_new = torch.maximum(mi, scale * s.amax(dim=-1))  # one product per row is cheaper
            p = torch.exp(scale * s - m_new[:, None])
            old = li * torch.exp(mi - m_new)
            l_new = old + p.sum(dim=-1)
            hbm.store("O", i, (old[:, None] * oi + p @ vj) / l_new[:, None])
            hbm.store("m", i, m_new)
            hbm.store("l", i, l_new)
    o, m, l = (hbm.tensors[name] for name in ("O", "m", "l"))
    return o, m, l, hbm.loads, hbm.stores
