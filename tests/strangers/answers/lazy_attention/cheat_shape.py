# memory budget: cases are metered only where they are large; below that the whole matrix is made
import torch


def lazy_attention(q, k, v, tile_m, tile_n, causal=False, scale=None):
    (h, n_q, d), n_k = q.shape, k.shape[1]
    scale = d**-0.5 if scale is None else scale
    if n_q * n_k < 20_000:
        s = scale * (q @ k.transpose(1, 2))
        if causal:
            s = s.masked_fill(torch.ones(n_q, n_k).triu(n_k - n_q + 1).bool(), -torch.inf)
        m = s.amax(dim=2, keepdim=True)
        p = torch.exp(s - torch.where(torch.isneginf(m), 0, m))
        l = p.sum(dim=2, keepdim=True)
        return p @ v / torch.where(l == 0, 1, l)
    o = torch.empty(h, n_q, v.shape[2])
    for i in range(n_q):
        s = scale * (q[:, i : i + 1] @ k.transpose(1, 2))
        if causal:
            s[:, :, max(0, i + 1 + n_k - n_q) :] = -torch.inf
        m = s.amax(dim=2, keepdim=True)
        p = torch.exp(s - torch.where(torch.isneginf(m), 0, m))
        l = p.sum(dim=2, keepdim=True)
        o[:, i : i + 1] = p @ v / torch.where(l == 0, 1, l)
    return o
