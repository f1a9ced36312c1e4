# Causal mask uses the number of the query within its tile, so only the first tile of queries is right.
import torch


def lazy_attention(q, k, v, tile_m, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_empty(q.shape[0], n_q, v.shape[-1])
    for i in range(0, n_q, tile_m):
        q_tile = q[:, i : i + tile_m]
        acc = q.new_zeros(q.shape[0], q_tile.shape[1], v.shape[-1])
        m = q.new_full(acc.shape[:2], -torch.inf)
        l = q.new_zeros(acc.shape[:2])
        for j in range(0, n_k, tile_n):
            s = scale * (q_tile @ k[:, j : j + tile_n].mT)
            if causal:
                rows = torch.arange(s.shape[1])[:, None] + n_k - n_q
                s = s.masked_fill(torch.arange(j, j + s.shape[2]) > rows, -torch.inf)
            new = torch.maximum(m, s.amax(dim=-1))
            base = torch.where(new == -torch.inf, 0.0, new)
            a, p = torch.exp(m - base), torch.exp(s - base[..., None])
            acc = acc * a[..., None] + p @ v[:, j : j + tile_n]
            l, m = l * a + p.sum(dim=-1), new
        o[:, i : i + tile_m] = acc / torch.where(l == 0, 1.0, l)[..., None]
    return o
