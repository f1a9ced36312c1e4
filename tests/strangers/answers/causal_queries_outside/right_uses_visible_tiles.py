# Calls visible_tiles, one loop over the seen tiles, masked only from `full` on, shift 0 for rows without a key.
def causal_queries_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v  # from here on they are seen through hbm only
    for i in range(0, n_q, tile_m):
        q_i = hbm.load("Q", i, i + tile_m)
        rows = torch.arange(i, i + len(q_i))
        full, seen = visible_tiles(i, i + len(q_i), n_q, n_k, tile_n)
        acc = q_i.new_zeros(len(q_i), d_v)
        m, l = q_i.new_full((len(q_i),), -torch.inf), q_i.new_zeros(len(q_i))
        for t in range(seen):
            j = t * tile_n
            k_j, v_j = hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n)
            s = scale * q_i @ k_j.T
            if t >= full:
                keys = torch.arange(j, j + len(k_j))
                s = s.masked_fill(keys > rows[:, None] + n_k - n_q, -torch.inf)
            m_new = torch.maximum(m, s.amax(-1))
            shift = torch.where(m_new == -torch.inf, 0.0, m_new)
            alpha, p = torch.exp(m - shift), torch.exp(s - shift[:, None])
            l = alpha * l + p.sum(-1)
            acc = alpha[:, None] * acc + p @ v_j
            m = m_new
        hbm.store("O", i, acc / torch.where(l == 0, 1.0, l)[:, None])
        hbm.store("L", i, m + torch.log(l))
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
