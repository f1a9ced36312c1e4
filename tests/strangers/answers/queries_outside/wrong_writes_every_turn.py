# Stores O and L after every tile of keys as in the first FlashAttention, so the stores are T_c times too many; values are right.
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
            k_j, v_j = hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n)
            s = scale * q_i @ k_j.T
            m_new = torch.maximum(m, s.amax(-1))
            alpha, p = torch.exp(m - m_new), torch.exp(s - m_new[:, None])
            l = alpha * l + p.sum(-1)
            acc = alpha[:, None] * acc + p @ v_j
            m = m_new
            hbm.store("O", i, acc / l[:, None])
            hbm.store("L", i, m + torch.log(l))
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
