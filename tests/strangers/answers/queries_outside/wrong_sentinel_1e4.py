# Starts the running maximum at -1e4 instead of -inf: where all scores of a row lie far below -1e4 every weight underflows and O is 0 / 0.
def queries_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v  # from here on they are seen through hbm only
    i = 0
    while i < n_q:
        qi = hbm.load("Q", i, i + tile_m)
        m_i = torch.full((len(qi), 1), -1e4)
        l_i = torch.zeros(len(qi), 1)
        acc = torch.zeros(len(qi), d_v)
        for j in range(0, n_k, tile_n):
            kj = hbm.load("K", j, j + tile_n)
            vj = hbm.load("V", j, j + tile_n)
            s_ij = (qi * scale) @ kj.transpose(0, 1)
            m_ij = torch.maximum(m_i, s_ij.max(dim=1, keepdim=True)[0])
            p = torch.exp(s_ij - m_ij)
            corr = torch.exp(m_i - m_ij)
            l_i = corr * l_i + p.sum(dim=1, keepdim=True)
            acc = corr * acc + p @ vj
            m_i = m_ij
        hbm.store("O", i, acc / l_i)
        hbm.store("L", i, (m_i + l_i.log()).flatten())
        i += tile_m
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
