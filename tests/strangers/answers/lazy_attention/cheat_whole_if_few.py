# memory: in small cases all scores are made at once, and one tile at a time only where there are more than 90 keys
import torch


def lazy_attention(q, k, v, tile_m, tile_n, causal=False, scale=None):
    (h, n_q, d), n_k, d_v = q.shape, k.shape[1], v.shape[2]
    scale = d**-0.5 if scale is None else scale
    if n_k <= 90:
        tile_m, tile_n = n_q, n_k
    o = q.new_empty(h, n_q, d_v)
    for i in range(0, n_q, tile_m):
        rows = q[:, i : i + tile_m]
        m = q.new_full(rows.shape[:2], -torch.inf)
        l, acc = torch.zeros_like(m), q.new_zeros(h, rows.shape[1], d_v)
        for j in range(0, n_k, tile_n):
            s = scale * (rows @ k[:, j : j + tile_n].transpose(1, 2))
            if causal:
                query, key = torch.arange(i, i + s.shape[1])[:, None], torch.arange(j, j + s.shape[2])
                s = s.masked_fill(key > query + n_k - n_q, -torch.inf)
            new = torch.maximum(m, s.amax(dim=2))
            shift = torch.where(torch.isneginf(new), 0, new)
            a, p = torch.exp(m - shift), torch.exp(s - shift[..., None])
            l = a * l + p.sum(dim=2)
            acc = a[..., None] * acc + p @ v[:, j : j + tile_n]
            m = new
        o[:, i : i + tile_m] = acc / torch.where(l == 0, 1, l)[..., None]
    return o
