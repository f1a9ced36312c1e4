# Keys are outside and queries inside: the state of all queries is kept, which is no larger than the output, and all is divided at the very end.
import torch


def lazy_attention(q, k, v, tile_m, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(q.shape[0], n_q, v.shape[-1])
    m = torch.full_like(o[..., :1], -torch.inf)
    l = torch.zeros_like(m)
    for j in range(0, n_k, tile_n):
        k_tile, v_tile = k[:, j : j + tile_n].transpose(1, 2), v[:, j : j + tile_n]
        for i in range(0, n_q, tile_m):
            here = slice(i, i + tile_m)
            s = scale * (q[:, here] @ k_tile)
            if causal:
                query = torch.arange(i, i + s.shape[1])[:, None]
                key = torch.arange(j, j + s.shape[2])
                s = s.masked_fill(key > query + n_k - n_q, -torch.inf)
            m_new = torch.maximum(m[:, here], s.amax(dim=-1, keepdim=True))
            shift = torch.where(torch.isneginf(m_new), 0, m_new)
            alpha, p = torch.exp(m[:, here] - shift), torch.exp(s - shift)
            l[:, here] = alpha * l[:, here] + p.sum(dim=-1, keepdim=True)
            o[:, here] = alpha * o[:, here] + p @ v_tile
            m[:, here] = m_new
    for i in range(0, n_q, tile_m):
        whole = l[:, i : i + tile_m]
        o[:, i : i + tile_m] /= torch.where(whole == 0, 1, whole)
    return o
