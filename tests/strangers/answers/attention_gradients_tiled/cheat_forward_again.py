# neither o nor L is used, which the forward pass kept for this: log-sum-exps and delta are computed anew from all scores in a first pass over the tiles, the gradients in a second; products are not counted here
import math
from collections.abc import Sequence
import torch
from torch import Tensor
def attention_gradients_tiled(q, k, v, o, L, do, tile_m, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    dq, dk, dv = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)

    def scores(i, j):
        s = scale * (q[i : i + tile_m] @ k[j : j + tile_n].T)
        if causal:
            query, key = torch.arange(i, i + len(s))[:, None], torch.arange(j, j + s.shape[1])
            s = s.masked_fill(key > query + n_k - n_q, -torch.inf)
        return s

    for i in range(0, n_q, tile_m):
        rows = do[i : i + tile_m]
        m, l, delta = q.new_full((len(rows), 1), -torch.inf), q.new_zeros(len(rows), 1), q.new_zeros(len(rows), 1)
        for j in range(0, n_k, tile_n):
            s = scores(i, j)
            m_new = torch.maximum(m, s.amax(dim=1, keepdim=True))
            shift = torch.where(torch.isneginf(m_new), 0, m_new)
            p, alpha = torch.exp(s - shift), torch.exp(m - shift)
            l = alpha * l + p.sum(dim=1, keepdim=True)
            delta = alpha * delta + (p * (rows @ v[j : j + tile_n].T)).sum(dim=1, keepdim=True)
            m = m_new
        shift, l = torch.where(torch.isneginf(m), 0, m), torch.where(l == 0, 1, l)
        for j in range(0, n_k, tile_n):
            p = torch.exp(scores(i, j) - shift) / l
            ds = p * (rows @ v[j : j + tile_n].T - delta / l)
            dv[j : j + tile_n] += p.T @ rows
            dq[i : i + tile_m] += scale * (ds @ k[j : j + tile_n])
            dk[j : j + tile_n] += scale * (ds.T @ q[i : i + tile_m])
    return dq, dk, dv

