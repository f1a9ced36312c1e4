# memory: in small cases all scores are made at once, and one tile at a time only where there are more than 90 keys
import torch


def online_attention(q, k, v, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    if n_k <= 90:
        tile_n = n_k
    o, m, l = q.new_zeros(n_q, v.shape[1]), q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    for j in range(0, n_k, tile_n):
        s = scale * (q @ k[j : j + tile_n].T)
        if causal:
            query, key = torch.arange(n_q)[:, None], torch.arange(j, j + s.shape[1])
            s = s.masked_fill(key > query + n_k - n_q, -torch.inf)
        o, m, l = online_chunk(o, m, l, s, v[j : j + tile_n])
    return o
