# No care for rows without keys in a cut tile: -inf - (-inf) is NaN, which ends up in O and L of queries that see nothing yet share a tile with one that does (N_q > N_k); for N_q <= N_k it is right.
def causal_queries_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v  # from here on they are seen through hbm only
    for i in range(0, n_q, tile_m):
        q_i = hbm.load("Q", i, i + tile_m)
        b = len(q_i)
        last = torch.arange(i, i + b) + n_k - n_q
        acc, m, l = torch.zeros(b, d_v), torch.full((b,), -torch.inf), torch.zeros(b)
        for j in range(0, max(0, int(last[-1]) + 1), tile_n):
            k_j, v_j = hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n)
            s = scale * q_i @ k_j.T
            s[torch.arange(j, j + len(k_j)) > last[:, None]] = -torch.inf
            m_new = torch.maximum(m, s.amax(-1))
            alpha, p = torch.exp(m - m_new), torch.exp(s - m_new[:, None])
            l = alpha * l + p.sum(-1)
            acc = alpha[:, None] * acc + p @ v_j
            m = m_new
        hbm.store("O", i, acc / torch.where(l == 0, 1, l)[:, None])
        hbm.store("L", i, m + torch.log(l))
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
