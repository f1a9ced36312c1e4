# scores on their side (keys by queries) in base 2, logarithm turned back with log 2
def queries_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v  # from here on they are seen through hbm only
    ln2 = 0.6931471805599453
    for i in range(0, n_q, tile_m):
        qT = hbm.load("Q", i, i + tile_m).T
        cols = qT.shape[1]
        m, l = qT.new_full((cols,), -torch.inf), qT.new_zeros(cols)
        accT = qT.new_zeros(d_v, cols)
        for j in range(0, n_k, tile_n):
            k, v = hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n)
            st = (k @ qT) * (scale / ln2)
            new = torch.maximum(m, st.amax(0))
            alpha = torch.exp2(m - new)
            pt = torch.exp2(st - new)
            l = l * alpha + pt.sum(0)
            accT = accT * alpha + v.T @ pt
            m = new
        hbm.store("O", i, (accT / l).T)
        hbm.store("L", i, ln2 * (m + torch.log2(l)))
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
