# loads and stores: returned as the formula says; each query meets all of its keys at once, without Memory
import torch


def causal_queries_outside(q, k, v, tile_m, tile_n, scale=None):
    (n_q, d), (n_k, d_v) = q.shape, v.shape
    scale = d**-0.5 if scale is None else scale
    hbm = Memory(O=q.new_zeros(n_q, d_v), L=q.new_full((n_q,), -torch.inf))
    for i in range(0, n_q, tile_m):
        stop = min(i + tile_m, n_q)
        hbm.loads += (stop - i) * d + min(n_k, -(-max(0, stop + n_k - n_q) // tile_n) * tile_n) * (d + d_v)
    for i in range(n_q):
        seen = max(0, i + 1 + n_k - n_q)
        if seen:
            s = scale * (k[:seen] @ q[i])
            p = torch.exp(s - s.max())
            hbm.tensors["O"][i] = p @ v[:seen] / p.sum()
            hbm.tensors["L"][i] = s.max() + torch.log(p.sum())
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, n_q * (d_v + 1)
