# style: FlashAttention-2, line by line
import torch
from torch import Tensor


def queries_outside(q, k, v, tile_m, tile_n, scale=None):
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v
    for i in range(0, n_q, tile_m):
        Q = hbm.load("Q", i, i + tile_m)
        acc = Q.new_zeros(len(Q), d_v)
        m, l = Q.new_full((len(Q),), -torch.inf), Q.new_zeros(len(Q))
        for j in range(0, n_k, tile_n):
            keys, values = hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n)
            S = scale * Q @ keys.T
            m_new = torch.maximum(m, S.amax(dim=1))
            alpha, P = torch.exp(m - m_new), torch.exp(S - m_new[:, None])
            acc = alpha[:, None] * acc + P @ values
            l = alpha * l + P.sum(dim=1)
            m = m_new
        hbm.store("O", i, acc / l[:, None])
        hbm.store("L", i, m + torch.log(l))
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
