# keys and values are copied for every query head, one head after the other: each copy is freed before the next, so the peak stays below that of k and v
import math
from collections.abc import Sequence
import torch
from torch import Tensor
def grouped_attention(q, k, v, causal=False, scale=None):
    heads, kv_heads, n_q, n_k = q.shape[1], k.shape[1], q.shape[2], k.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = torch.empty(q.shape, dtype=q.dtype)
    seen = torch.arange(n_k) <= torch.arange(n_q)[:, None] + n_k - n_q
    for b in range(q.shape[0]):
        for h in range(heads):
            kv = h // (heads // kv_heads)
            s = q.new_empty(n_q, n_k)
            for j in range(0, n_k, 4):
                s[:, j : j + 4] = scale * (q[b, h] @ k[b, kv, j : j + 4].clone().T)
            if causal:
                s = s.masked_fill(~seen, -torch.inf)
            p = torch.softmax(s, dim=-1)
            p = torch.where(torch.isneginf(s), 0, p)
            out = q.new_zeros(n_q, v.shape[-1])
            for j in range(0, n_k, 4):
                out += p[:, j : j + 4] @ v[b, kv, j : j + 4].clone()
            o[b, h] = out
    return o

