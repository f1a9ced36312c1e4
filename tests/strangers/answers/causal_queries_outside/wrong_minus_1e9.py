# Masks with -1e9 and gives 0 and -inf by position to queries that see nothing: scores below -1e9 lose to hidden keys.
def causal_queries_outside(q, k, v, tile_m, tile_n, scale=None):
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v
    for i in range(0, n_q, tile_m):
        qt = hbm.load("Q", i, i + tile_m)
        rows = torch.arange(i, i + len(qt)) + n_k - n_q
        m = qt.new_full((len(qt),), -torch.inf)
        l, acc = torch.zeros_like(m), qt.new_zeros(len(qt), d_v)
        for j in range(0, max(0, int(rows[-1]) + 1), tile_n):
            s = scale * (qt @ hbm.load("K", j, j + tile_n).T)
            s = s.masked_fill(torch.arange(j, j + s.shape[1]) > rows[:, None], -1e9)
            new = torch.maximum(m, s.amax(1))
            p, a = torch.exp(s - new[:, None]), torch.exp(m - new)
            l = a * l + p.sum(1)
            acc = a[:, None] * acc + p @ hbm.load("V", j, j + tile_n)
            m = new
        blind = rows < 0
        hbm.store("O", i, torch.where(blind[:, None], 0, acc / l[:, None]))
        hbm.store("L", i, torch.where(blind, -torch.inf, m + l.log()))
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
