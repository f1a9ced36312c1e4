# Finishes the attention of each tile alone (softmax, maximum, sum) and merges it with the stored state by two weights, in while loops.
def keys_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor, int, int]:
    n_q, n_k = len(q), len(k)
    scale = q.shape[1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    m, l = q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    hbm = Memory(Q=q, K=k, V=v, O=o, m=m, l=l)
    del q, k, v, o, m, l  # from here on they are seen through hbm only
    def finished(scores, values):
        peak = scores.max(dim=-1).values
        weights = (scores - peak.unsqueeze(-1)).exp()
        mass = weights.sum(-1)
        return (weights / mass.unsqueeze(-1)) @ values, peak, mass

    j = 0
    while j < n_k:
        K, V = hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n)
        i = 0
        while i < n_q:
            Q, O, m, l = (hbm.load(name, i, i + tile_m) for name in ("Q", "O", "m", "l"))
            o_new, m_new, l_new = finished(scale * Q @ K.T, V)
            m_both = torch.maximum(m, m_new)
            a, b = l * (m - m_both).exp(), l_new * (m_new - m_both).exp()
            share = (b / (a + b)).unsqueeze(-1)
            keep = (a / (a + b)).unsqueeze(-1)
            hbm.store("O", i, keep * O + share * o_new)
            hbm.store("m", i, m_both)
            hbm.store("l", i, a + b)
            i += tile_m
        j += tile_n
    o, m, l = (hbm.tensors[name] for name in ("O", "m", "l"))
    return o, m, l, hbm.loads, hbm.stores
