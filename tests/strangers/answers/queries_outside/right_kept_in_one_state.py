# accumulator and denominator side by side in one tile, filled by one product with a column of ones
def queries_outside(q, k, v, tile_m, tile_n, scale=None):
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v
    for i in range(0, n_q, tile_m):
        qt = hbm.load("Q", i, i + tile_m) * scale
        state, m = qt.new_zeros(len(qt), d_v + 1), qt.new_full((len(qt), 1), -torch.inf)
        for j in range(0, n_k, tile_n):
            s = qt @ hbm.load("K", j, j + tile_n).T
            vt = hbm.load("V", j, j + tile_n)
            new = torch.maximum(m, s.amax(1, keepdim=True))
            state = torch.exp(m - new) * state + torch.exp(s - new) @ torch.cat([vt, vt.new_ones(len(vt), 1)], 1)
            m = new
        hbm.store("O", i, state[:, :-1] / state[:, -1:])
        hbm.store("L", i, m[:, 0] + torch.log(state[:, -1]))
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
