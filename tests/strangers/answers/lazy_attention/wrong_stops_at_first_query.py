# Wrong: in a causal call the loop over keys ends where the tile's first query sees no more, and not its last.
# Breaks: "causal ... as in `naive_attention`": "query i sees keys j <= i + N_k - N_q".
import torch


def lazy_attention(q, k, v, tile_m, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_empty(q.shape[0], n_q, v.shape[-1])
    for i in range(0, n_q, tile_m):
        q_tile = q[:, i : i + tile_m] * scale
        last = torch.arange(i, i + q_tile.shape[1])[:, None] + n_k - n_q
        m = q.new_full(q_tile.shape[:2], -torch.inf)
        l = torch.zeros_like(m)
        acc = q.new_zeros(*m.shape, v.shape[-1])
        for j in range(0, n_k, tile_n):
            if causal and j > i + n_k - n_q:
                break  # the rest is hidden
            s = q_tile @ k[:, j : j + tile_n].mT
            if causal:
                s = s.masked_fill(torch.arange(j, j + s.shape[-1]) > last, -torch.inf)
            m_new = torch.maximum(m, s.amax(-1))
            shift = m_new.masked_fill(torch.isneginf(m_new), 0)
            a, p = torch.exp(m - shift), torch.exp(s - shift[..., None])
            acc = a[..., None] * acc + p @ v[:, j : j + tile_n]
            l, m = a * l + p.sum(-1), m_new
        o[:, i : i + tile_m] = acc / l.masked_fill(l == 0, 1)[..., None]
    return o
