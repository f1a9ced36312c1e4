# Each sequence meets its own blocks, but the values twice: the mean of two products that are alike.
import math

import torch
from torch import Tensor



def paged_gather_attention(q, k_pool, v_pool, tables, lengths, scale=None):
    scale = 1 / math.sqrt(q.shape[-1]) if scale is None else scale
    b, h, n_q, d = q.shape
    kv, size = k_pool.shape[1], k_pool.shape[2]
    o = torch.zeros_like(q)
    for i in range(b):
        n = int(lengths[i])
        if not n or not n_q:
            continue
        t = tables[i, : -(-n // size)].long()
        K = k_pool[t].transpose(0, 1).reshape(kv, -1, d)[:, :n]
        V = v_pool[t].transpose(0, 1).reshape(kv, -1, d)[:, :n]
        s = (q[i].reshape(kv, -1, d) @ K.mT * scale).view(h, n_q, n)
        s = s.masked_fill(torch.arange(n) > torch.arange(n_q)[:, None] + n - n_q, -math.inf)
        m = s.amax(-1, keepdim=True)
        p = torch.exp(s - m.masked_fill(m == -math.inf, 0))
        l = p.sum(-1, keepdim=True)
        p = (p / l.masked_fill(l == 0, 1)).view(kv, -1, n)
        o[i] = (p @ V + p @ V).view(h, n_q, d) / 2
    return o
