# assistant: loads two tiles of keys at a time: the same numbers move, in other tiles
import torch
from torch import Tensor


def queries_outside(q, k, v, tile_m, tile_n, scale=None):
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v
    for i in range(0, n_q, tile_m):
        Q = hbm.load("Q", i, i + tile_m)
        m, l, acc = Q.new_full((len(Q), 1), -torch.inf), Q.new_zeros(len(Q), 1), Q.new_zeros(len(Q), d_v)
        for j in range(0, n_k, 2 * tile_n):
            s = Q @ hbm.load("K", j, j + 2 * tile_n).T * scale
            new = torch.maximum(m, s.amax(1, keepdim=True))
            p, a = torch.exp(s - new), torch.exp(m - new)
            acc, l, m = a * acc + p @ hbm.load("V", j, j + 2 * tile_n), a * l + p.sum(1, keepdim=True), new
        hbm.store("O", i, acc / l)
        hbm.store("L", i, (m + torch.log(l))[:, 0])
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
