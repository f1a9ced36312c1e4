# breaks: "The next chunk continues from the normalised output." (it continues from an undivided sum; the mean of that and of o l)
import torch


def online_attention(q, k, v, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    acc = q.new_zeros(n_q, v.shape[-1])
    m = q.new_full((n_q, 1), -torch.inf)
    l = q.new_zeros(n_q, 1)
    o = acc
    for j in range(0, n_k, tile_n):
        s = scale * q @ k[j : j + tile_n].T
        if causal:
            cols = torch.arange(j, j + s.shape[1])
            s = s.masked_fill(cols > torch.arange(n_q)[:, None] + n_k - n_q, -torch.inf)
        m2 = torch.maximum(m, s.amax(dim=1, keepdim=True))
        z = torch.where(m2 == -torch.inf, 0.0, m2)
        a = torch.exp(m - z)
        p = torch.exp(s - z)
        acc = a * (acc + l * o) / 2 + p @ v[j : j + tile_n]
        l = a * l + p.sum(dim=1, keepdim=True)
        m = m2
        o = acc / torch.where(l == 0, 1.0, l)
    return o
