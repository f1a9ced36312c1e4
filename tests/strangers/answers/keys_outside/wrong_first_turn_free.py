# Wrong: in the first turn it does not load O, m and l, since they are known to be 0 and -inf.
# Breaks: "for each tile of tile_m queries: load its rows of Q, O, m and l, bring them up to date".
import torch


def keys_outside(q, k, v, tile_m, tile_n, scale=None):
    n_q, n_k = len(q), len(k)
    scale = q.shape[1] ** -0.5 if scale is None else scale
    d_v = v.shape[1]
    o = q.new_zeros(n_q, v.shape[1])
    m, l = q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    hbm = Memory(Q=q, K=k, V=v, O=o, m=m, l=l)
    del q, k, v, o, m, l
    for j in range(0, n_k, tile_n):
        kt, vt = hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n)
        for i in range(0, n_q, tile_m):
            qt = hbm.load("Q", i, i + tile_m)
            if j == 0:
                ot = qt.new_zeros(len(qt), d_v)
                mt, lt = qt.new_full((len(qt),), -torch.inf), qt.new_zeros(len(qt))
            else:
                ot, mt, lt = (hbm.load(x, i, i + tile_m) for x in ("O", "m", "l"))
            s = scale * qt @ kt.T
            m_new = torch.maximum(mt, s.amax(1))
            p = torch.exp(s - m_new[:, None])
            old = lt * torch.exp(mt - m_new)
            l_new = old + p.sum(1)
            hbm.store("O", i, (old[:, None] * ot + p @ vt) / l_new[:, None])
            hbm.store("m", i, m_new)
            hbm.store("l", i, l_new)
    o, m, l = (hbm.tensors[name] for name in ("O", "m", "l"))
    return o, m, l, hbm.loads, hbm.stores
