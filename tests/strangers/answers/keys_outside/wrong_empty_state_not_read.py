# does not load O, m and l for the first tile of keys because they are known to be 0 and -inf: values right, loads too few by n_q (d_v + 2), always
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
        k = hbm.load("K", j, j + tile_n)
        v = hbm.load("V", j, j + tile_n)
        for i in range(0, n_q, tile_m):
            q = hbm.load("Q", i, i + tile_m)
            s = scale * q @ k.T
            if j == 0:
                m = s.amax(dim=1)
                p = torch.exp(s - m[:, None])
                l = p.sum(dim=1)
                o = p @ v / l[:, None]
            else:
                o, m_old, l_old = (hbm.load(x, i, i + tile_m) for x in "Oml")
                m = torch.maximum(m_old, s.amax(dim=1))
                p = torch.exp(s - m[:, None])
                past = l_old * torch.exp(m_old - m)
                l = past + p.sum(dim=1)
                o = (past[:, None] * o + p @ v) / l[:, None]
            hbm.store("O", i, o)
            hbm.store("m", i, m)
            hbm.store("l", i, l)
    o, m, l = (hbm.tensors[name] for name in ("O", "m", "l"))
    return o, m, l, hbm.loads, hbm.stores
