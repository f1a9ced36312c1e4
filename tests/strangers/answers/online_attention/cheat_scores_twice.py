# Means to keep the points with two passes over the keys: the first finds the maxima, the second computes every score again.
import torch
def online_attention(q, k, v, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    def tile(j):
        s = scale * q @ k[j:j + tile_n].T
        if causal:
            s.masked_fill_(torch.arange(j, min(j + tile_n, n_k)) > torch.arange(n_q)[:, None] + n_k - n_q, -torch.inf)
        return s
    m = q.new_full((n_q, 1), -torch.inf)
    for j in range(0, n_k, tile_n):
        m = torch.maximum(m, tile(j).amax(1, keepdim=True))
    m.masked_fill_(m == -torch.inf, 0)
    l, o = q.new_zeros(n_q, 1), q.new_zeros(n_q, v.shape[1])
    for j in range(0, n_k, tile_n):
        p = tile(j).sub_(m).exp_()
        l += p.sum(1, keepdim=True)
        o += p @ v[j:j + tile_n]
    return torch.where(l > 0, o / l.clamp_min(1e-30), 0)
