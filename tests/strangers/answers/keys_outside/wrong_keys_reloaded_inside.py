# Loads the tile of K and V inside the inner loop, once for each tile of queries, so the counted loads are too many whenever there is more than one tile of queries; values are right.
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
        for i in range(0, n_q, tile_m):
            k_j, v_j = hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n)
            q_i, o_i = hbm.load("Q", i, i + tile_m), hbm.load("O", i, i + tile_m)
            m_i, l_i = hbm.load("m", i, i + tile_m), hbm.load("l", i, i + tile_m)
            s = scale * q_i @ k_j.T
            m_new = torch.maximum(m_i, s.amax(-1))
            p = torch.exp(s - m_new[:, None])
            past = l_i * torch.exp(m_i - m_new)
            l_new = past + p.sum(-1)
            hbm.store("O", i, (past[:, None] * o_i + p @ v_j) / l_new[:, None])
            hbm.store("m", i, m_new)
            hbm.store("l", i, l_new)
    o, m, l = (hbm.tensors[name] for name in ("O", "m", "l"))
    return o, m, l, hbm.loads, hbm.stores
