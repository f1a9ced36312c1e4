# keeps O divided and L = m + log l in place of m and l: at scores in the millions L has lost the digits of log l
import torch
from torch import Tensor


def queries_outside(q, k, v, tile_m, tile_n, scale=None):
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v
    def walk(Q, O, L, j):
        if j >= n_k:
            return O, L
        keys, values = hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n)
        S = torch.einsum("id,jd->ij", Q, keys) * scale
        top = S.max(dim=1, keepdim=True).values
        P = (S - top).exp()
        l = P.sum(1, keepdim=True)
        L_tile = top + l.log()
        L_new = torch.logaddexp(L, L_tile)
        O = O * (L - L_new).exp() + (P @ values) * ((top - L_new).exp())
        return walk(Q, O, L_new, j + tile_n)

    for i in range(0, n_q, tile_m):
        Q = hbm.load("Q", i, i + tile_m)
        O, L = walk(Q, Q.new_zeros(len(Q), d_v), Q.new_full((len(Q), 1), -torch.inf), 0)
        hbm.store("O", i, O)
        hbm.store("L", i, L[:, 0])
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
