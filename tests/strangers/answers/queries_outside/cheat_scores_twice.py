# Each score is multiplied twice for each pair of tiles: for the maximum, and for the exponentials.
import math

import torch
from torch import Tensor



def queries_outside(q, k, v, tile_m, tile_n, scale=None):
    scale = 1 / math.sqrt(q.shape[-1]) if scale is None else scale
    n_q, n_k = len(q), len(k)
    M = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, v.shape[1]), L=q.new_zeros(n_q))
    for i in range(0, n_q, tile_m):
        qi = M.load("Q", i, i + tile_m)
        m, l, acc = q.new_full((len(qi), 1), -math.inf), q.new_zeros(len(qi), 1), q.new_zeros(len(qi), v.shape[1])
        for j in range(0, n_k, tile_n):
            kj, vj = M.load("K", j, j + tile_n), M.load("V", j, j + tile_n)
            new = torch.maximum(m, (qi @ kj.T * scale).amax(1, keepdim=True))
            p = torch.exp(qi @ kj.T * scale - new)
            a = torch.exp(m - new)
            acc, l, m = a * acc + p @ vj, a * l + p.sum(1, keepdim=True), new
        M.store("O", i, acc / l), M.store("L", i, (m + l.log())[:, 0])
    return M.tensors["O"], M.tensors["L"], M.loads, M.stores
