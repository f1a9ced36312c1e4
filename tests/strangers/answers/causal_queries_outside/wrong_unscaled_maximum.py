# The maximum is taken of q k^T and scaled afterwards: with a negative scale exp overflows.
def causal_queries_outside(q, k, v, tile_m, tile_n, scale=None):
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v
    for i in range(0, n_q, tile_m):
        qt = hbm.load("Q", i, i + tile_m)
        m = qt.new_full((len(qt), 1), -torch.inf)
        l, acc = torch.zeros_like(m), qt.new_zeros(len(qt), d_v)
        full, seen = visible_tiles(i, i + len(qt), n_q, n_k, tile_n)
        for t in range(seen):
            j = t * tile_n
            x = qt @ hbm.load("K", j, j + tile_n).T
            see = torch.arange(j, j + x.shape[1]) <= torch.arange(i, i + len(qt))[:, None] + n_k - n_q
            new = torch.maximum(m, x.where(see, -torch.inf).amax(1, keepdim=True))
            base = new.where(new > -torch.inf, 0)
            p = torch.exp(scale * (x - base)).where(see, 0)
            a = torch.where(m > -torch.inf, torch.exp(scale * (m - base)), 0)
            l = a * l + p.sum(1, keepdim=True)
            acc = a * acc + p @ hbm.load("V", j, j + tile_n)
            m = new
        hbm.store("O", i, acc / l.where(l > 0, 1))
        hbm.store("L", i, torch.where(l > 0, scale * m.where(l > 0, 0) + l.log(), -torch.inf)[:, 0])
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
