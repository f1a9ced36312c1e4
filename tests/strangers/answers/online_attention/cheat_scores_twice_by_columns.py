# each score is computed twice: the first time column by column, number by number, where queries and keys are broadcast against each other: no matrix product
import math
from collections.abc import Sequence
import torch
from torch import Tensor
def online_attention(q, k, v, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale

    def hidden(j, s):
        query, key = torch.arange(n_q)[:, None], torch.arange(j, j + s.shape[1])
        return s.masked_fill(key > query + n_k - n_q, -torch.inf) if causal else s

    m = q.new_full((n_q,), -torch.inf)
    for j in range(0, n_k, tile_n):
        s = q.new_zeros(n_q, len(k[j : j + tile_n]))
        for c in range(q.shape[1]):
            s = torch.addcmul(s, q[:, c, None], k[j : j + tile_n, c])
        m = torch.maximum(m, hidden(j, scale * s).amax(dim=1))
    shift = torch.where(torch.isneginf(m), 0, m)[:, None]
    o, l = q.new_zeros(n_q, v.shape[1]), q.new_zeros(n_q)
    for j in range(0, n_k, tile_n):
        p = torch.exp(hidden(j, scale * (q @ k[j : j + tile_n].T)) - shift)
        o, l = o + p @ v[j : j + tile_n], l + p.sum(dim=1)
    return o / torch.where(l == 0, 1, l)[:, None]

