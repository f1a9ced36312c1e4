# student: tile_m for keys and tile_n for queries
import torch
from torch import Tensor


def attention_gradients_tiled(q, k, v, o, L, do, tile_m, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    tile_m, tile_n = tile_n, tile_m
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    dq, dk, dv = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)
    for i in range(0, n_q, tile_m):
        rows = torch.arange(i, min(i + tile_m, n_q))
        delta = (do[rows] * o[rows]).sum(1, keepdim=True)
        shift = torch.where(torch.isneginf(L[rows]), 0.0, L[rows])[:, None]
        for j in range(0, n_k, tile_n):
            cols = torch.arange(j, min(j + tile_n, n_k))
            z = scale * (q[rows] @ k[cols].T) - shift
            if causal:
                z = torch.where(cols <= rows[:, None] + n_k - n_q, z, -torch.inf)
            p = torch.exp(z)
            ds = scale * p * (do[rows] @ v[cols].T - delta)
            dv[cols] += p.T @ do[rows]
            dk[cols] += ds.T @ q[rows]
            dq[rows] += ds @ k[cols]
    return dq, dk, dv
