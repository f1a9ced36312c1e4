# lazy: tile_n for both
import torch
from torch import Tensor


def lazy_attention(q, k, v, tile_m, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[1], k.shape[1]
    tile_m = tile_n
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_empty(q.shape[0], n_q, v.shape[-1])
    for i in range(0, n_q, tile_m):
        q_tile = q[:, i : i + tile_m] * scale
        rows = torch.arange(i, i + q_tile.shape[1])[:, None] + (n_k - n_q)
        m = q.new_full((q.shape[0], q_tile.shape[1], 1), -torch.inf)
        l = torch.zeros_like(m)
        acc = q.new_zeros(q.shape[0], q_tile.shape[1], v.shape[-1])
        for j in reversed(range(0, n_k, tile_n)):
            s = q_tile @ k[:, j : j + tile_n].mT
            if causal:
                s = s.masked_fill(torch.arange(j, j + s.shape[-1]) > rows, -torch.inf)
            new = torch.maximum(m, s.amax(-1, keepdim=True))
            ref = torch.where(torch.isneginf(new), 0.0, new)
            p, a = torch.exp(s - ref), torch.exp(m - ref)
            acc, l, m = a * acc + p @ v[:, j : j + tile_n], a * l + p.sum(-1, keepdim=True), new
        o[:, i : i + tile_m] = acc / torch.where(l == 0, 1.0, l)
    return o
