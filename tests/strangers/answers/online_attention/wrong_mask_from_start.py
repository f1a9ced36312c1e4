# Wrong: a chunk is masked only if it begins behind the last key of the first query, so that the chunk in which the diagonal begins is not.
# Breaks: "causal, scale: as in `naive_attention`".
import torch


def online_attention(q, k, v, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    m, l = q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    last = torch.arange(n_q)[:, None] + n_k - n_q
    for j in range(0, n_k, tile_n):
        s = scale * (q @ k[j : j + tile_n].T)
        if causal and j > n_k - n_q:  # before, everybody sees everything
            s = s.masked_fill(torch.arange(j, j + s.shape[1]) > last, -torch.inf)
        o, m, l = online_chunk(o, m, l, s, v[j : j + tile_n])
    return o
