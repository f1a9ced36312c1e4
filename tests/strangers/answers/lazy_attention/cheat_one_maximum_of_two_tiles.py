# tiles of keys in pairs; "For each tile of queries, over tiles of keys ... m' = max(m, rowmax S)": two tiles of scores are made, one maximum of both is taken, and what came before is rescaled once for both
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
        for j in range(0, n_k, 2 * tile_n):
            tiles = []
            for a in range(j, min(j + 2 * tile_n, n_k), tile_n):
                s = scale * (q_tile @ k[:, a : a + tile_n].transpose(1, 2))
                if causal:
                    query = torch.arange(i, i + s.shape[1])[:, None]
                    key = torch.arange(a, a + s.shape[2])
                    s = s.masked_fill(key > query + n_k - n_q, -torch.inf)
                tiles.append((a, s))
            m_new = m
            for _, s in tiles:
                m_new = torch.maximum(m_new, s.amax(dim=-1, keepdim=True))
            shift = torch.where(torch.isneginf(m_new), 0, m_new)
            alpha = torch.exp(m - shift)
            l, acc = alpha * l, alpha * acc
            for a, s in tiles:
                p = torch.exp(s - shift)
                l = l + p.sum(dim=-1, keepdim=True)
                acc = acc + p @ v[:, a : a + tile_n]
            m = m_new
        o[:, i : i + tile_m] = acc / torch.where(l == 0, 1, l)
    return o
