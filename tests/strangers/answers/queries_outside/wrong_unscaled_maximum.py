# The maximum is taken of q k^T and scaled afterwards, as FlashAttention does with a positive scale: with a negative one exp overflows.
def queries_outside(q, k, v, tile_m, tile_n, scale=None):
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v
    for i in range(0, n_q, tile_m):
        qt = hbm.load("Q", i, i + tile_m)
        m = qt.new_full((len(qt), 1), -torch.inf)
        l, acc = torch.zeros_like(m), qt.new_zeros(len(qt), d_v)
        for j in range(0, n_k, tile_n):
            x = qt @ hbm.load("K", j, j + tile_n).T
            new = torch.maximum(m, x.amax(1, keepdim=True))
            p = torch.exp(scale * (x - new))
            a = torch.exp(scale * (m - new)) if j else torch.zeros_like(m)
            l = a * l + p.sum(1, keepdim=True)
            acc = a * acc + p @ hbm.load("V", j, j + tile_n)
            m = new
        hbm.store("O", i, acc / l)
        hbm.store("L", i, (scale * m + l.log())[:, 0])
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
