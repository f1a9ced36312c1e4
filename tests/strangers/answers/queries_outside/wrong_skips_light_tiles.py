# Wrong: leaves out a tile of keys whose scores are all 10 below the running maximum.
# Breaks: "acc' = a acc + P V, l' = a l + rowsum P": what is left out is up to e^-10 of each row for each key.
import torch


def queries_outside(q, k, v, tile_m, tile_n, scale=None):
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v
    for i in range(0, n_q, tile_m):
        qt = hbm.load("Q", i, i + tile_m)
        m, l = qt.new_full((len(qt),), -torch.inf), qt.new_zeros(len(qt))
        acc = qt.new_zeros(len(qt), d_v)
        for j in range(0, n_k, tile_n):
            kt, vt = hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n)
            s = scale * qt @ kt.T
            top = s.amax(1)
            if (top < m - 10).all():
                continue  # their weights are nothing
            m_new = torch.maximum(m, top)
            a, p = torch.exp(m - m_new), torch.exp(s - m_new[:, None])
            acc, l, m = a[:, None] * acc + p @ vt, a * l + p.sum(1), m_new
        hbm.store("O", i, acc / l[:, None])
        hbm.store("L", i, m + torch.log(l))
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
