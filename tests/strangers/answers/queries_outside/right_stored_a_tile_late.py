# O and L of a tile are stored when the next tile of queries has begun, and values are loaded before their keys
def queries_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v  # from here on they are seen through hbm only
    for i in range(0, n_q, tile_m):
        q_tile = hbm.load("Q", i, i + tile_m)
        if i:
            hbm.store("O", i - tile_m, late[0])
            hbm.store("L", i - tile_m, late[1])
        acc = q_tile.new_zeros(len(q_tile), d_v)
        m, l = torch.full_like(acc[:, 0], -torch.inf), torch.zeros_like(acc[:, 0])
        for j in range(0, n_k, tile_n):
            s = scale * (q_tile @ hbm.load("K", j, j + tile_n).T)
            m_new = torch.maximum(m, s.amax(dim=-1))
            alpha = torch.exp(m - m_new)
            p = torch.exp(s - m_new[:, None])
            l = alpha * l + p.sum(dim=-1)
            acc = alpha[:, None] * acc + p @ hbm.load("V", j, j + tile_n)
            m = m_new
        late = acc / l[:, None], m + torch.log(l)
    hbm.store("O", i, late[0])
    hbm.store("L", i, late[1])
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
