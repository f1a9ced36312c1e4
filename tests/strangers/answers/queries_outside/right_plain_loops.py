# Two plain loops, divides at the end.
def queries_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v  # from here on they are seen through hbm only
    for i in range(0, n_q, tile_m):
        qi = hbm.load("Q", i, i + tile_m)
        acc = qi.new_zeros(len(qi), d_v)
        m = qi.new_full((len(qi), 1), -torch.inf)
        l = qi.new_zeros(len(qi), 1)
        for j in range(0, n_k, tile_n):
            kj, vj = hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n)
            s = qi @ kj.T * scale
            m_new = torch.maximum(m, s.amax(1, keepdim=True))
            alpha, p = (m - m_new).exp(), (s - m_new).exp()
            acc = alpha * acc + p @ vj
            l = alpha * l + p.sum(1, keepdim=True)
            m = m_new
        hbm.store("O", i, acc / l)
        hbm.store("L", i, (m + l.log()).squeeze(1))
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
