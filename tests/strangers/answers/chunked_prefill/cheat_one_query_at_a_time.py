# `chunk` is ignored: one query at a time with a row of scores, where operations allow it, in pieces of eight else; the small cases and the budgets by formula let that pass.
import torch
from torch import Tensor


def chunked_prefill(q, k, v, chunk, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    own = 2 if chunk <= 8 else 37
    for i in range(0, n_q, own):
        seen = min(i + own, n_q) + n_k - n_q
        s = q[i : i + own] @ k[:seen].T
        s *= scale
        s.masked_fill_(torch.arange(seen) > torch.arange(i, min(i + own, n_q))[:, None] + n_k - n_q, -torch.inf)
        o[i : i + own] = torch.softmax(s, dim=-1) @ v[:seen]
    return o
