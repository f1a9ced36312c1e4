# The running maximum starts at -1e9 in place of -inf: queries whose scores lie below get 0 / 0.
def queries_outside(q, k, v, tile_m, tile_n, scale=None):
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v
    for i in range(0, n_q, tile_m):
        qt = hbm.load("Q", i, i + tile_m)
        m, l, acc = torch.full((len(qt), 1), -1e9), torch.zeros(len(qt), 1), torch.zeros(len(qt), d_v)
        for j in range(0, n_k, tile_n):
            s = torch.mm(qt, hbm.load("K", j, j + tile_n).t()).mul_(scale)
            new = torch.maximum(m, s.amax(1, keepdim=True))
            p, a = torch.exp(s - new), torch.exp(m - new)
            l = a * l + p.sum(1, keepdim=True)
            acc = torch.addmm(acc * a, p, hbm.load("V", j, j + tile_n))
            m = new
        hbm.store("O", i, acc / l)
        hbm.store("L", i, (m + l.log()).squeeze(1))
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
