# memory ("one chunk of tile_n keys at a time"): seven matrices of a chunk's scores are allowed; scores of two chunks come from one product, and are passed on one chunk after the other
import torch


def online_attention(q, k, v, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    m, l = q.new_full((n_q, 1), -torch.inf), q.new_zeros(n_q, 1)
    for i in range(0, n_k, 2 * tile_n):
        both = (q @ k[i : i + 2 * tile_n].T).mul_(scale)
        for j in range(i, min(i + 2 * tile_n, n_k), tile_n):
            s = both[:, j - i : j - i + tile_n]
            if causal:
                query = torch.arange(n_q)[:, None]
                s.masked_fill_(torch.arange(j, j + s.shape[1]) > query + n_k - n_q, -torch.inf)
            m_new = torch.maximum(m, s.amax(dim=-1, keepdim=True))
            shift = torch.where(torch.isneginf(m_new), 0, m_new)
            past = l * torch.exp(m - shift)
            s.sub_(shift).exp_()
            l = past + s.sum(dim=-1, keepdim=True)
            o = (past * o + s @ v[j : j + tile_n]) / torch.where(l == 0, 1, l)
            m = m_new
    return o
