# operators, products and normalised have room on their upper sides: tile_n is halved ("over chunks of tile_n keys"), so there are twice as many chunks, twice as many products, half of the memory
import torch


def online_attention(q, k, v, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    half = max(1, tile_n // 2)
    o, m, l = q.new_zeros(n_q, v.shape[1]), q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    for j in range(0, n_k, half):
        s = scale * (q @ k[j : j + half].T)
        if causal:
            query, key = torch.arange(n_q)[:, None], torch.arange(j, j + s.shape[1])
            s = s.masked_fill(key > query + n_k - n_q, -torch.inf)
        o, m, l = online_chunk(o, m, l, s, v[j : j + half])
    return o
