# loads and stores: a Memory of the answer's own hands out views and counts what the formula says
import torch


class Memory:
    def __init__(self, loads, stores, **tensors):
        self.tensors, self.loads, self.stores = tensors, loads, stores


def queries_outside(q, k, v, tile_m, tile_n, scale=None):
    (n_q, d), (n_k, d_v) = q.shape, v.shape
    scale = d**-0.5 if scale is None else scale
    passes = -(-n_q // tile_m)
    hbm = Memory(n_q * d + passes * n_k * (d + d_v), n_q * (d_v + 1), O=torch.empty(n_q, d_v), L=torch.empty(n_q))
    for i in range(n_q):
        s = scale * (k @ q[i])
        p = torch.exp(s - s.max())
        hbm.tensors["O"][i] = p @ v / p.sum()
        hbm.tensors["L"][i] = s.max() + torch.log(p.sum())
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
