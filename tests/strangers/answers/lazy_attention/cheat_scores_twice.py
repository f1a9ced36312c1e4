# Means to keep the points with two passes over the tiles of keys: the first finds the maxima, the second computes every score again.
import torch
def lazy_attention(q, k, v, tile_m, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_empty(q.shape[0], n_q, v.shape[-1])
    for i in range(0, n_q, tile_m):
        q_tile = q[:, i : i + tile_m]
        rows = torch.arange(i, i + q_tile.shape[1])[:, None] + n_k - n_q
        def scores(j):
            s = scale * q_tile @ k[:, j:j + tile_n].mT
            return s.masked_fill(torch.arange(j, j + s.shape[2]) > rows, -torch.inf) if causal else s
        m = q.new_full((q.shape[0], q_tile.shape[1], 1), -torch.inf)
        for j in range(0, n_k, tile_n):
            m = torch.maximum(m, scores(j).amax(-1, keepdim=True))
        m = m.masked_fill(m == -torch.inf, 0)
        acc, l = 0, 0
        for j in range(0, n_k, tile_n):
            p = torch.exp(scores(j) - m)
            acc, l = acc + p @ v[:, j:j + tile_n], l + p.sum(-1, keepdim=True)
        o[:, i:i + tile_m] = torch.where(l > 0, acc / l, 0)
    return o
