# Wrong: a tile of queries that see nothing is skipped, and their L stays the 0 that it began with.
# Breaks: "Q is loaded, and O and L are stored, for queries that see no key too."
import torch


def causal_queries_outside(q, k, v, tile_m, tile_n, scale=None):
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v
    for i in range(0, n_q, tile_m):
        stop = min(i + tile_m, n_q)
        full, seen = visible_tiles(i, stop, n_q, n_k, tile_n)
        if seen == 0:
            continue
        qt = hbm.load("Q", i, stop)
        m, l = qt.new_full((len(qt),), -torch.inf), qt.new_zeros(len(qt))
        acc = qt.new_zeros(len(qt), d_v)
        for t in range(seen):
            j = t * tile_n
            kt, vt = hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n)
            s = scale * qt @ kt.T
            if t >= full:
                last = torch.arange(i, stop)[:, None] + n_k - n_q
                s = s.masked_fill(torch.arange(j, j + len(kt)) > last, -torch.inf)
            m_new = torch.maximum(m, s.amax(1))
            shift = m_new.masked_fill(torch.isneginf(m_new), 0)
            a, p = torch.exp(m - shift), torch.exp(s - shift[:, None])
            acc, l, m = a[:, None] * acc + p @ vt, a * l + p.sum(1), m_new
        hbm.store("O", i, acc / l.masked_fill(l == 0, 1)[:, None])
        hbm.store("L", i, m + torch.log(l))
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
