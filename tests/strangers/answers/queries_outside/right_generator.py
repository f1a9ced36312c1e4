# Honest: tiles come from a generator one turn early, comprehensions, output kept divided on the way.
import torch
from torch import Tensor



def tiles_of(hbm, n_k, tile_n):
    for start in range(0, n_k, tile_n):
        yield hbm.load("K", start, start + tile_n), hbm.load("V", start, start + tile_n)


def queries_outside(q, k, v, tile_m, tile_n, scale=None):
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v
    starts = [i for i in range(n_q) if i % tile_m == 0]
    while starts:
        i = starts.pop()
        queries = hbm.load("Q", i, i + tile_m)
        out = torch.zeros(len(queries), d_v)
        m, l = torch.full((len(queries), 1), -torch.inf), torch.zeros(len(queries), 1)
        for keys, values in tiles_of(hbm, n_k, tile_n):
            s = torch.einsum("ic,jc->ij", queries, keys) * scale
            top = torch.maximum(m, s.amax(1, keepdim=True))
            p = (s - top).exp()
            past = l * (m - top).exp()
            l = past + p.sum(1, keepdim=True)
            out = torch.addmm(out * (past / l), p / l, values)
            m = top
        hbm.store("O", i, out)
        hbm.store("L", i, (m + l.log()).squeeze(1))
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
