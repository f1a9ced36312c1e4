# merge_blocks need not be called, and no meter asks for maxima: blocks are never merged by theirs; each is added in 64 bits with a reference made of the lengths of queries and keys, which is enough in all cases
import torch


def attention_by_blocks(q, k, v, order, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    last_seen = torch.arange(n_q)[:, None] + n_k - n_q
    o = torch.zeros(n_q, v.shape[1], dtype=torch.float64)
    l = torch.zeros(n_q, dtype=torch.float64)
    fixed = abs(scale) * torch.linalg.vector_norm(k, dim=1).amax() * torch.linalg.vector_norm(q, dim=1).double() - 650
    for b in order:
        start, stop = b * tile_n, min((b + 1) * tile_n, n_k)
        s = scale * (q @ k[start:stop].T)
        if causal:
            s = s.masked_fill(torch.arange(start, stop) > last_seen, -torch.inf)
        top = s.amax(dim=-1)
        top = torch.where(torch.isneginf(top), -1e30, top)
        p = torch.exp(s - top[:, None])
        weight = torch.exp(top - fixed)
        l += weight * p.sum(dim=-1)
        o += weight[:, None] * (p @ v[start:stop])
    L = fixed + torch.log(l)
    return (o / torch.where(l == 0, 1, l)[:, None]).to(q.dtype), L.to(q.dtype)
