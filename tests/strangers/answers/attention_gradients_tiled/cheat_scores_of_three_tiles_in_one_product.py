# powers and memory ("from tiles of tile_m queries and tile_n keys"): memory is that of ten tiles; products for three tiles of keys are one, and only exponentials are taken a tile at a time
import torch


def attention_gradients_tiled(q, k, v, o, L, do, tile_m, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    dq, dk, dv = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)
    for j in range(0, n_k, 3 * tile_n):
        keys = slice(j, min(j + 3 * tile_n, n_k))
        for i in range(0, n_q, tile_m):
            queries = slice(i, min(i + tile_m, n_q))
            sums = torch.where(torch.isneginf(L[queries]), 0, L[queries])
            p = (q[queries] @ k[keys].T).mul_(scale).sub_(sums[:, None])
            hidden = torch.isneginf(L[queries])[:, None]
            if causal:
                last_seen = torch.arange(i, queries.stop)[:, None] + n_k - n_q
                hidden = hidden | (torch.arange(j, keys.stop) > last_seen)
            p.masked_fill_(hidden, -torch.inf)
            for part in p.split(tile_n, dim=1):
                part.exp_()
            delta = (o[queries] * do[queries]).sum(-1, keepdim=True)
            dv[keys] += p.T @ do[queries]
            p.mul_((do[queries] @ v[keys].T).sub_(delta)).mul_(scale)
            dk[keys] += p.T @ q[queries]
            dq[queries] += p @ k[keys]
    return dq, dk, dv
