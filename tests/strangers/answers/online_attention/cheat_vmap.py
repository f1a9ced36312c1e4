# memory budget: under torch.vmap all rows of scores lie in one tensor, which may not pass through the meter
import torch


def online_attention(q, k, v, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale

    def row(x, i):
        s = scale * (k @ x)
        if causal:
            s = torch.where(torch.arange(n_k) > i + n_k - n_q, -torch.inf, s)
        m = s.amax()
        p = torch.exp(s - torch.where(torch.isneginf(m), 0, m))
        return p @ v / torch.where(p.sum() == 0, 1, p.sum())

    return torch.vmap(row)(q, torch.arange(n_q))
