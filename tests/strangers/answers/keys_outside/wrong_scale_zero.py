# wrong: `scale or` treats a scale of 0 as none
import torch
from torch import Tensor


def keys_outside(q, k, v, tile_m, tile_n, scale=None):
    n_q, n_k = len(q), len(k)
    scale = scale or q.shape[1] ** -0.5
    o = q.new_zeros(n_q, v.shape[1])
    m, l = q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    hbm = Memory(Q=q, K=k, V=v, O=o, m=m, l=l)
    del q, k, v, o, m, l
    for j in range(0, n_k, tile_n):
        keys, values = hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n)
        for i in range(0, n_q, tile_m):
            Q, O = hbm.load("Q", i, i + tile_m), hbm.load("O", i, i + tile_m)
            m, l = hbm.load("m", i, i + tile_m), hbm.load("l", i, i + tile_m)
            S = scale * Q @ keys.T
            m_new = torch.maximum(m, S.amax(dim=1))
            P = torch.exp(S - m_new[:, None])
            old = l * torch.exp(m - m_new)
            l_new = old + P.sum(dim=1)
            O = (old[:, None] * O + P @ values) / l_new[:, None]
            hbm.store("O", i, O)
            hbm.store("m", i, m_new)
            hbm.store("l", i, l_new)
    o, m, l = (hbm.tensors[name] for name in ("O", "m", "l"))
    return o, m, l, hbm.loads, hbm.stores
