# Keys and values of the next tile are loaded before the queries of this one have met them
def keys_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor, int, int]:
    n_q, n_k = len(q), len(k)
    scale = q.shape[1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    m, l = q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    hbm = Memory(Q=q, K=k, V=v, O=o, m=m, l=l)
    del q, k, v, o, m, l  # from here on they are seen through hbm only
    following = hbm.load("K", 0, tile_n), hbm.load("V", 0, tile_n)
    for j in range(0, n_k, tile_n):
        k_tile, v_tile = following
        if j + tile_n < n_k:
            after = j + tile_n, j + 2 * tile_n
            following = hbm.load("K", *after), hbm.load("V", *after)
        for i in range(0, n_q, tile_m):
            s = scale * (hbm.load("Q", i, i + tile_m) @ k_tile.T)
            o, m, l = (hbm.load(name, i, i + tile_m) for name in ("O", "m", "l"))
            m_new = torch.maximum(m, s.amax(dim=-1))
            past = l * torch.exp(m - m_new)
            p = torch.exp(s - m_new[:, None])
            l_new = past + p.sum(dim=-1)
            hbm.store("O", i, (past[:, None] * o + p @ v_tile) / l_new[:, None])
            hbm.store("m", i, m_new)
            hbm.store("l", i, l_new)
    o, m, l = (hbm.tensors[name] for name in ("O", "m", "l"))
    return o, m, l, hbm.loads, hbm.stores
