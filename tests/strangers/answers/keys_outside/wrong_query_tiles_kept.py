# keeps every tile of Q on the chip after its first visit in a dictionary: values right, but Q is loaded only once and the chip would hold all of it, visible with more than one tile of keys
def keys_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor, int, int]:
    n_q, n_k = len(q), len(k)
    scale = q.shape[1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    m, l = q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    hbm = Memory(Q=q, K=k, V=v, O=o, m=m, l=l)
    del q, k, v, o, m, l  # from here on they are seen through hbm only
    on_chip = {}
    for j in range(0, n_k, tile_n):
        kt, vt = hbm.load("K", j, j + tile_n).T, hbm.load("V", j, j + tile_n)
        for i in range(0, n_q, tile_m):
            if i not in on_chip:
                on_chip[i] = hbm.load("Q", i, i + tile_m) * scale
            o, m, l = hbm.load("O", i, i + tile_m), hbm.load("m", i, i + tile_m), hbm.load("l", i, i + tile_m)
            s = on_chip[i] @ kt
            new = torch.maximum(m, s.amax(-1))
            p = (s - new[:, None]).exp()
            l_old = l * (m - new).exp()
            l = l_old + p.sum(-1)
            o = (l_old[:, None] * o + p @ vt) / l[:, None]
            hbm.store("O", i, o), hbm.store("m", i, new), hbm.store("l", i, l)
    o, m, l = (hbm.tensors[name] for name in ("O", "m", "l"))
    return o, m, l, hbm.loads, hbm.stores
