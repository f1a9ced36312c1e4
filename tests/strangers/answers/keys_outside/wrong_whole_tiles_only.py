# Counts n_q // tile_m and n_k // tile_n whole tiles, so ragged last tiles of queries keep O = 0 and ragged keys are ignored; right when both tiles divide.
def keys_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor, int, int]:
    n_q, n_k = len(q), len(k)
    scale = q.shape[1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    m, l = q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    hbm = Memory(Q=q, K=k, V=v, O=o, m=m, l=l)
    del q, k, v, o, m, l  # from here on they are seen through hbm only
    for t in range(n_k // tile_n):
        k_t = hbm.load("K", t * tile_n, (t + 1) * tile_n)
        v_t = hbm.load("V", t * tile_n, (t + 1) * tile_n)
        for u in range(n_q // tile_m):
            at = u * tile_m
            q_u, o_u, m_u, l_u = [hbm.load(n, at, at + tile_m) for n in ("Q", "O", "m", "l")]
            s = q_u @ k_t.T * scale
            m_new = torch.maximum(m_u, s.max(1)[0])
            past = l_u * (m_u - m_new).exp()
            p = (s - m_new[:, None]).exp()
            l_new = past + p.sum(1)
            hbm.store("O", at, (past[:, None] * o_u + p @ v_t) / l_new[:, None])
            hbm.store("m", at, m_new)
            hbm.store("l", at, l_new)
    o, m, l = (hbm.tensors[name] for name in ("O", "m", "l"))
    return o, m, l, hbm.loads, hbm.stores
