# reads "the zeros and infinities of the start are not counted" as leave to make the state anew at the first tile of keys: values right, but the loads are too few by N_q (d_v + 2) on every input
def keys_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor, int, int]:
    n_q, n_k = len(q), len(k)
    scale = q.shape[1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    m, l = q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    hbm = Memory(Q=q, K=k, V=v, O=o, m=m, l=l)
    del q, k, v, o, m, l  # from here on they are seen through hbm only
    d_v = hbm.tensors["V"].shape[1]
    for j in range(0, n_k, tile_n):
        K_j, V_j = hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n)
        for i in range(0, n_q, tile_m):
            Q_i = hbm.load("Q", i, i + tile_m)
            if j == 0:  # nothing seen so far
                O_i = Q_i.new_zeros(len(Q_i), d_v)
                m_i, l_i = Q_i.new_full((len(Q_i),), -torch.inf), Q_i.new_zeros(len(Q_i))
            else:
                O_i = hbm.load("O", i, i + tile_m)
                m_i, l_i = hbm.load("m", i, i + tile_m), hbm.load("l", i, i + tile_m)
            S = scale * Q_i @ K_j.T
            m_new = torch.maximum(m_i, S.amax(dim=1))
            P = torch.exp(S - m_new[:, None])
            carried = l_i * torch.exp(m_i - m_new)
            l_new = carried + P.sum(dim=1)
            O_i = (carried[:, None] * O_i + P @ V_j) / l_new[:, None]
            hbm.store("O", i, O_i)
            hbm.store("m", i, m_new)
            hbm.store("l", i, l_new)
    o, m, l = (hbm.tensors[name] for name in ("O", "m", "l"))
    return o, m, l, hbm.loads, hbm.stores
