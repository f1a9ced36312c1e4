# Each score is multiplied twice for each pair of tiles: for the maximum, and for the exponentials.
import math

import torch
from torch import Tensor



def keys_outside(q, k, v, tile_m, tile_n, scale=None):
    scale = 1 / math.sqrt(q.shape[-1]) if scale is None else scale
    n_q, n_k = len(q), len(k)
    M = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, v.shape[1]), m=q.new_full((n_q,), -math.inf), l=q.new_zeros(n_q))
    for j in range(0, n_k, tile_n):
        kj, vj = M.load("K", j, j + tile_n), M.load("V", j, j + tile_n)
        for i in range(0, n_q, tile_m):
            qi, o, m, l = (M.load(x, i, i + tile_m) for x in "QOml")
            new = torch.maximum(m, (qi @ kj.T * scale).amax(1))
            p = torch.exp(qi @ kj.T * scale - new[:, None])
            a = l * torch.exp(m - new)
            t = a + p.sum(1)
            M.store("O", i, (a[:, None] * o + p @ vj) / t[:, None])
            M.store("m", i, new), M.store("l", i, t)
    return M.tensors["O"], M.tensors["m"], M.tensors["l"], M.loads, M.stores
