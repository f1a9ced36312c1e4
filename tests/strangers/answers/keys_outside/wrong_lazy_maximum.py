# raises m only where it grows by more than 8, as FlashAttention-4 does: o and m + log l are right, but the returned m is not the row maximum (and l not its sum) when a later tile of keys holds a slightly larger score
def keys_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor, int, int]:
    n_q, n_k = len(q), len(k)
    scale = q.shape[1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    m, l = q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    hbm = Memory(Q=q, K=k, V=v, O=o, m=m, l=l)
    del q, k, v, o, m, l  # from here on they are seen through hbm only
    for j in range(0, n_k, tile_n):
        k, v = hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n)
        for i in range(0, n_q, tile_m):
            q, o = hbm.load("Q", i, i + tile_m), hbm.load("O", i, i + tile_m)
            m, l = hbm.load("m", i, i + tile_m), hbm.load("l", i, i + tile_m)
            s = q @ k.T * scale
            here = s.amax(dim=1)
            new = torch.where(here > m + 8, here, m)  # exp(8) is harmless
            a = torch.exp(m - new) * l
            p = torch.exp(s - new[:, None])
            l = a + p.sum(dim=1)
            o = (a[:, None] * o + p @ v) / l[:, None]
            hbm.store("O", i, o)
            hbm.store("m", i, new)
            hbm.store("l", i, l)
    o, m, l = (hbm.tensors[name] for name in ("O", "m", "l"))
    return o, m, l, hbm.loads, hbm.stores
