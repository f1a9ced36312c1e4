# rescales by exp(m) / exp(m') instead of exp(m - m'): inf/inf or 0/0 gives NaN when scores exceed 88 in size or all lie below -104
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
        K, V = hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n)
        for i in range(0, n_q, tile_m):
            Q, O, m, l = (hbm.load(name, i, i + tile_m) for name in ("Q", "O", "m", "l"))
            S = scale * (Q @ K.T)
            m_new = torch.maximum(m, S.amax(dim=1))
            P = torch.exp(S - m_new[:, None])
            ratio = torch.exp(m) / torch.exp(m_new)
            l_new = ratio * l + P.sum(dim=1)
            O = (O * (ratio * l)[:, None] + P @ V) / l_new[:, None]
            for name, x in (("O", O), ("m", m_new), ("l", l_new)):
                hbm.store(name, i, x)
    o, m, l = (hbm.tensors[name] for name in ("O", "m", "l"))
    return o, m, l, hbm.loads, hbm.stores
