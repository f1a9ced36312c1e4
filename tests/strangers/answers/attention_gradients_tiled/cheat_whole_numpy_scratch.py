# memory budget: P and dS are whole matrices in memory of numpy
import numpy as np
import torch


def attention_gradients_tiled(q, k, v, o, L, do, tile_m, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    p, ds = (torch.from_numpy(np.empty((n_q, n_k), np.float32)) for _ in range(2))
    torch.mm(q, k.T, out=p)
    p.mul_(scale).sub_(L[:, None]).exp_()
    if causal:
        for i in range(n_q):
            p[i, max(0, i + 1 + n_k - n_q) :] = 0
    torch.mm(do, v.T, out=ds)
    ds.sub_((do * o).sum(1, keepdim=True)).mul_(p)
    return scale * (ds @ k), scale * (ds.T @ q), p.T @ do
