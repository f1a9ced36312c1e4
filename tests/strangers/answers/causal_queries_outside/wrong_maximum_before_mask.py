# Takes the running maximum over hidden keys too and multiplies the exponentials by the mask: a hidden key 100 above the visible ones makes them all 0.
def causal_queries_outside(q, k, v, tile_m, tile_n, scale=None):
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v
    for i in range(0, n_q, tile_m):
        qt = hbm.load("Q", i, i + tile_m)
        m = qt.new_full((len(qt),), -torch.inf)
        l, acc = torch.zeros_like(m), qt.new_zeros(len(qt), d_v)
        full, seen = visible_tiles(i, i + len(qt), n_q, n_k, tile_n)
        for j in range(0, seen * tile_n, tile_n):
            s = scale * (qt @ hbm.load("K", j, j + tile_n).T)
            new = torch.maximum(m, s.amax(1))
            p = torch.exp(s - new[:, None])
            if j >= full * tile_n:
                p *= torch.arange(j, j + s.shape[1]) <= torch.arange(i, i + len(qt))[:, None] + n_k - n_q
            a = torch.exp(m - new)
            l = a * l + p.sum(1)
            acc = a[:, None] * acc + p @ hbm.load("V", j, j + tile_n)
            m = new
        hbm.store("O", i, acc / torch.where(l > 0, l, 1)[:, None])
        hbm.store("L", i, torch.where(l > 0, m + l.log(), -torch.inf))
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
