# breaks: "Each score is computed once." (the maximum is that of scores computed before, by sums of products)
import torch


def queries_outside(q, k, v, tile_m, tile_n, scale=None):
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v
    for i in range(0, n_q, tile_m):
        qt = scale * hbm.load("Q", i, i + tile_m)
        acc = qt.new_zeros(len(qt), d_v)
        m, l = qt.new_full((len(qt),), -torch.inf), qt.new_zeros(len(qt))
        for j in range(0, n_k, tile_n):
            kt, vt = hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n)
            m2 = m.clone()
            for r in range(len(qt)):
                m2[r] = torch.maximum(m[r], (kt * qt[r]).sum(dim=1).max())
            s = qt @ kt.T
            a, p = torch.exp(m - m2), torch.exp(s - m2[:, None])
            acc = a[:, None] * acc + p @ vt
            l = a * l + p.sum(dim=1)
            m = m2
        hbm.store("O", i, acc / l[:, None])
        hbm.store("L", i, m + torch.log(l))
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
