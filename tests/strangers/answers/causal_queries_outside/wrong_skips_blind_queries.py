# Goes on to the next tile of queries when nothing is seen, without storing O and L: L stays at its initial 0 instead of -inf and the counts are short, for whole tiles of blind queries (N_q > N_k).
def causal_queries_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v  # from here on they are seen through hbm only
    for i in range(0, n_q, tile_m):
        stop = min(i + tile_m, n_q)
        n_any = min(n_k, stop + n_k - n_q)
        if n_any <= 0:
            continue
        q_i = hbm.load("Q", i, stop)
        rows = torch.arange(i, stop)[:, None]
        acc, m, l = torch.zeros(stop - i, d_v), torch.full((stop - i,), -torch.inf), torch.zeros(stop - i)
        for j in range(0, n_any, tile_n):
            k_j, v_j = hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n)
            s = scale * q_i @ k_j.T
            s = s.masked_fill(torch.arange(j, j + len(k_j)) > rows + n_k - n_q, -torch.inf)
            m_new = torch.maximum(m, s.amax(-1))
            safe = torch.where(m_new.isinf(), 0, m_new)
            alpha, p = torch.exp(m - safe), torch.exp(s - safe[:, None])
            l = alpha * l + p.sum(-1)
            acc = alpha[:, None] * acc + p @ v_j
            m = m_new
        hbm.store("O", i, acc / torch.where(l == 0, 1, l)[:, None])
        hbm.store("L", i, m + torch.log(l))
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
