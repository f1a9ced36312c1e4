# memory budget: products and sums over all keys in one operator, whose own N x N intermediate the meter does not see
import torch


def online_attention(q, k, v, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    bias = torch.zeros(n_q, n_k) if not causal else torch.full((n_q, n_k), -torch.inf).triu(n_k - n_q + 1)
    s = torch.baddbmm(bias[None], q[None], k.T[None], alpha=scale)[0]
    m = s.amax(dim=1, keepdim=True)
    p = torch.exp(s - torch.where(torch.isneginf(m), 0, m))
    l = p.sum(dim=1, keepdim=True)
    return p @ v / torch.where(l == 0, 1, l)
