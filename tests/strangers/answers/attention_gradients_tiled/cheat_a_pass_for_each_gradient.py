# cheat: every pair of tiles is computed three times, once for each gradient
import torch


def attention_gradients_tiled(q, k, v, o, L, do, tile_m, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    dq, dk, dv = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)
    for which in range(3):
        for j in range(0, n_k, tile_n):
            keys = slice(j, min(j + tile_n, n_k))
            for i in range(0, n_q, tile_m):
                rows = slice(i, min(i + tile_m, n_q))
                p = torch.exp(scale * (q[rows] @ k[keys].T) - torch.where(torch.isneginf(L[rows]), 0, L[rows])[:, None])
                if causal:
                    last = torch.arange(i, rows.stop)[:, None] + n_k - n_q
                    p = p.masked_fill(torch.arange(j, keys.stop) > last, 0)
                ds = scale * p * (do[rows] @ v[keys].T - (do[rows] * o[rows]).sum(-1, keepdim=True))
                if which == 0:
                    dq[rows] += ds @ k[keys]
                elif which == 1:
                    dk[keys] += ds.T @ q[rows]
                else:
                    dv[keys] += p.T @ do[rows]
    return dq, dk, dv
