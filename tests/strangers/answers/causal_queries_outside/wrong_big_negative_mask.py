# Masks with -1e9 instead of -inf: a query that sees no key but shares a tile with one that does gets the mean of the values it must not see, and L near -1e9 (N_q > N_k, the border inside a tile).
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
        rows = torch.arange(i, i + b)[:, None]
        n_any = max(0, min(n_k, i + b + n_k - n_q))
        acc, m, l = torch.zeros(b, d_v), torch.full((b,), -torch.inf), torch.zeros(b)
        for j in range(0, n_any, tile_n):
            k_j, v_j = hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n)
            s = scale * q_i @ k_j.T
            s = s.masked_fill(torch.arange(j, j + len(k_j)) > rows + n_k - n_q, -1e9)
            m_new = torch.maximum(m, s.amax(-1))
            alpha, p = torch.exp(m - m_new), torch.exp(s - m_new[:, None])
            l = alpha * l + p.sum(-1)
            acc = alpha[:, None] * acc + p @ v_j
            m = m_new
        o = torch.where(l[:, None] > 0, acc / l[:, None], 0.0)
        hbm.store("O", i, o)
        hbm.store("L", i, m + torch.log(l))
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
