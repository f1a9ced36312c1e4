# Right: a single loop over itertools.product; the keys are loaded when the queries begin anew.
from itertools import product

import torch


def keys_outside(q, k, v, tile_m, tile_n, scale=None):
    n_q, n_k = len(q), len(k)
    scale = q.shape[1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    m, l = q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    hbm = Memory(Q=q, K=k, V=v, O=o, m=m, l=l)
    del q, k, v, o, m, l
    for j, i in product(range(0, n_k, tile_n), range(0, n_q, tile_m)):
        if i == 0:
            keys = hbm.load("K", j, j + tile_n)
            values = hbm.load("V", j, j + tile_n)
        queries, o_old, m_old, l_old = (hbm.load(x, i, i + tile_m) for x in ("Q", "O", "m", "l"))
        s = scale * (queries @ keys.T)
        m_new = torch.maximum(m_old, s.amax(dim=1))
        p = torch.exp(s - m_new[:, None])
        past = l_old * torch.exp(m_old - m_new)
        l_new = past + p.sum(dim=1)
        o_new = torch.addmm(past[:, None] * o_old, p, values) / l_new[:, None]
        for name, tile in zip(("O", "m", "l"), (o_new, m_new, l_new)):
            hbm.store(name, i, tile)
    o, m, l = (hbm.tensors[name] for name in ("O", "m", "l"))
    return o, m, l, hbm.loads, hbm.stores
