# Two loops (whole tiles, then cut ones) around one update function, exponentials to base 2, weights of unseen keys multiplied away after a maximum over seen keys only.
def causal_queries_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v  # from here on they are seen through hbm only
    ln2 = 0.6931471805599453

    def step(state, q_i, j, limit):
        acc, m, l = state
        k_j, v_j = hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n)
        s = (scale / ln2) * (q_i @ k_j.T)
        if limit is not None:
            hidden = torch.arange(j, j + len(k_j)) > limit[:, None]
            s = torch.where(hidden, -torch.inf, s)
        m_new = torch.maximum(m, s.max(-1).values)
        base = m_new.nan_to_num(neginf=0.0)
        p = torch.exp2(s - base[:, None])
        alpha = torch.exp2(m - base)
        return alpha[:, None] * acc + p @ v_j, m_new, alpha * l + p.sum(-1)

    for i in range(0, n_q, tile_m):
        q_i = hbm.load("Q", i, i + tile_m)
        limit = torch.arange(i, i + len(q_i)) + (n_k - n_q)
        n_all = min(max(int(limit[0]) + 1, 0), n_k) // tile_n * tile_n
        n_any = min(max(int(limit[-1]) + 1, 0), n_k)
        state = q_i.new_zeros(len(q_i), d_v), q_i.new_full((len(q_i),), -torch.inf), q_i.new_zeros(len(q_i))
        for j in range(0, n_all, tile_n):
            state = step(state, q_i, j, None)
        for j in range(n_all, n_any, tile_n):
            state = step(state, q_i, j, limit)
        acc, m, l = state
        hbm.store("O", i, acc / l.masked_fill(l == 0, 1)[:, None])
        hbm.store("L", i, ln2 * (m + torch.log2(l)))
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
