# copied: keys and values are taken for every query head by take_along_dim, at places to which 0 times a query is added: what is made of others too is a copy only with as many numbers as all of k
import torch


def grouped_attention(q, k, v, causal=False, scale=None):
    heads, kv_heads, n_q, n_k = q.shape[1], k.shape[1], q.shape[2], k.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = torch.zeros(q.shape, dtype=q.dtype)
    query, key, piece = torch.arange(n_q)[:, None], torch.arange(n_k), max(n_q, n_k // 16)
    nothing = (q[0, 0, 0, 0] * 0).to(torch.int64)
    for h in range(heads):
        kv = h // (heads // kv_heads)
        s = torch.empty(len(q), n_q, n_k)
        for j in range(0, n_k, piece):
            at = (torch.arange(j, min(j + piece, n_k)) + nothing)[None, :, None]
            s[:, :, j : j + piece] = scale * (q[:, h] @ torch.take_along_dim(k[:, kv], at, 1).transpose(1, 2))
        if causal:
            s = s.masked_fill(key > query + n_k - n_q, -torch.inf)
        p = torch.softmax(s, dim=-1)
        p = p.masked_fill(torch.isneginf(s), 0)
        for j in range(0, n_k, piece):
            at = (torch.arange(j, min(j + piece, n_k)) + nothing)[None, :, None]
            o[:, h] += p[:, :, j : j + piece] @ torch.take_along_dim(v[:, kv], at, 1)
    return o
