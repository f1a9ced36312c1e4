# exponentials by squares; "from tiles of tile_m queries and tile_n keys": tiles whose exponentials are squares of a short series, so that no meter of powers sees how many are taken at once
import torch


def power(x):
    y = x.clamp(min=-80.0, max=80.0).double() / 256
    e = 1 + y * (1 + y / 2 * (1 + y / 3 * (1 + y / 4 * (1 + y / 5))))
    for _ in range(8):
        e = e * e
    return torch.where(x < -80, 0, e).float()


def attention_gradients_tiled(q, k, v, o, L, do, tile_m, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    dq, dk, dv = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)
    for j in range(0, n_k, tile_n):
        keys = slice(j, min(j + tile_n, n_k))
        for i in range(0, n_q, tile_m):
            rows = slice(i, min(i + tile_m, n_q))
            s = scale * (q[rows] @ k[keys].T) - torch.where(torch.isneginf(L[rows]), 0, L[rows])[:, None]
            if causal:
                seen = torch.arange(j, keys.stop) <= torch.arange(i, rows.stop)[:, None] + n_k - n_q
                s = s.masked_fill(~seen, -torch.inf)
            p = power(s)
            ds = p * (do[rows] @ v[keys].T - (do[rows] * o[rows]).sum(-1, keepdim=True))
            dv[keys] += p.T @ do[rows]
            dk[keys] += scale * (ds.T @ q[rows])
            dq[rows] += scale * (ds @ k[keys])
    return dq, dk, dv
