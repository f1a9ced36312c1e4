# The two loops as in the formula, rows scaled by broadcasting.
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
        keys = hbm.load("K", j, j + tile_n)
        values = hbm.load("V", j, j + tile_n)
        for i in range(0, n_q, tile_m):
            queries = hbm.load("Q", i, i + tile_m)
            out = hbm.load("O", i, i + tile_m)
            top = hbm.load("m", i, i + tile_m)
            total = hbm.load("l", i, i + tile_m)
            s = scale * (queries @ keys.T)
            new_top = torch.maximum(top, s.amax(dim=1))
            p = torch.exp(s - new_top[:, None])
            past = total * torch.exp(top - new_top)
            new_total = past + p.sum(dim=1)
            out = (past[:, None] * out + p @ values) / new_total[:, None]
            hbm.store("O", i, out)
            hbm.store("m", i, new_top)
            hbm.store("l", i, new_total)
    o, m, l = (hbm.tensors[name] for name in ("O", "m", "l"))
    return o, m, l, hbm.loads, hbm.stores
