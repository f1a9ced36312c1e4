# Takes the row maximum of q k^T and multiplies it by scale: with a negative scale m is the minimum, returned m and l are wrong and exp overflows for large scores.
def keys_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor, int, int]:
    n_q, n_k = len(q), len(k)
    scale = q.shape[1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    m, l = q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    hbm = Memory(Q=q, K=k, V=v, O=o, m=m, l=l)
    del q, k, v, o, m, l  # from here on they are seen through hbm only
    for c0 in range(0, n_k, tile_n):
        k_blk = hbm.load("K", c0, c0 + tile_n)
        v_blk = hbm.load("V", c0, c0 + tile_n)
        for r0 in range(0, n_q, tile_m):
            q_blk = hbm.load("Q", r0, r0 + tile_m)
            o_blk = hbm.load("O", r0, r0 + tile_m)
            m_blk = hbm.load("m", r0, r0 + tile_m)
            l_blk = hbm.load("l", r0, r0 + tile_m)
            raw = q_blk @ k_blk.T
            m_new = torch.maximum(m_blk, raw.amax(dim=1) * scale)
            p = torch.exp(raw * scale - m_new[:, None])
            old = l_blk * torch.exp(m_blk - m_new)
            l_new = old + p.sum(dim=1)
            o_blk = (old[:, None] * o_blk + p @ v_blk) / l_new[:, None]
            for name, tile in (("O", o_blk), ("m", m_new), ("l", l_new)):
                hbm.store(name, r0, tile)
    o, m, l = (hbm.tensors[name] for name in ("O", "m", "l"))
    return o, m, l, hbm.loads, hbm.stores
