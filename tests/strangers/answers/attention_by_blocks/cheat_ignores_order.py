# blocks in the given order, merged: neither order nor blocks are looked at; one query at a time with all of its keys
import torch


def attention_by_blocks(q, k, v, order, tile_n, causal=False, scale=None):
    (n_q, d), n_k = q.shape, k.shape[0]
    scale = d**-0.5 if scale is None else scale
    o, L = torch.zeros(n_q, v.shape[1]), torch.full((n_q,), -torch.inf)
    for i in range(n_q):
        seen = max(0, i + 1 + n_k - n_q) if causal else n_k
        if seen:
            s = scale * (k[:seen] @ q[i])
            m = s.max()
            p = torch.exp(s - m)
            o[i] = p @ v[:seen] / p.sum()
            L[i] = m + torch.log(p.sum())
    return o, L
