# tiles of tile_m x tile_n: tile_m is not looked at; one query at a time with its tiles of keys
import torch


def lazy_attention(q, k, v, tile_m, tile_n, causal=False, scale=None):
    (h, n_q, d), n_k, d_v = q.shape, k.shape[1], v.shape[2]
    scale = d**-0.5 if scale is None else scale
    o = q.new_zeros(h, n_q, d_v)
    for i in range(n_q):
        m, l, acc = q.new_full((h, 1), -torch.inf), q.new_zeros(h, 1), q.new_zeros(h, d_v)
        seen = max(0, min(n_k, i + 1 + n_k - n_q)) if causal else n_k
        for j in range(0, seen, tile_n):
            stop = min(j + tile_n, seen)
            s = scale * (k[:, j:stop] @ q[:, i, :, None])[..., 0]
            new = torch.maximum(m, s.amax(dim=1, keepdim=True))
            a, p = torch.exp(m - new), torch.exp(s - new)
            l = a * l + p.sum(dim=1, keepdim=True)
            acc = a * acc + (p[:, None] @ v[:, j:stop])[:, 0]
            m = new
        if seen:
            o[:, i] = acc / l
    return o
