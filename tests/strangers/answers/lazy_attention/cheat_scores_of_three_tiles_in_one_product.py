# powers and memory ("tiles of tile_m queries and tile_n keys"): memory is that of eight tiles, and only the numbers of one operator of powers are bounded by a tile: scores of three tiles of keys come from one product, and their maximum once for all three
import torch


def lazy_attention(q, k, v, tile_m, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_empty(q.shape[0], n_q, v.shape[-1])
    for i in range(0, n_q, tile_m):
        q_tile = q[:, i : i + tile_m]
        acc = torch.zeros_like(o[:, i : i + tile_m])
        m = torch.full_like(acc[..., :1], -torch.inf)
        l = torch.zeros_like(m)
        for j in range(0, n_k, 3 * tile_n):
            s = (q_tile @ k[:, j : j + 3 * tile_n].transpose(1, 2)).mul_(scale)
            if causal:
                query = torch.arange(i, i + s.shape[1])[:, None]
                key = torch.arange(j, j + s.shape[2])
                s.masked_fill_(key > query + n_k - n_q, -torch.inf)
            m_new = torch.maximum(m, s.amax(dim=-1, keepdim=True))
            shift = torch.where(torch.isneginf(m_new), 0, m_new)
            alpha = torch.exp(m - shift)
            s.sub_(shift)
            for part in s.split(tile_n, dim=2):
                part.exp_()
            l = alpha * l + s.sum(dim=-1, keepdim=True)
            acc = alpha * acc + s @ v[:, j : j + 3 * tile_n]
            m = m_new
        o[:, i : i + tile_m] = acc / torch.where(l == 0, 1, l)
    return o
