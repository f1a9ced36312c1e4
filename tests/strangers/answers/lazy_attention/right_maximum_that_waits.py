# FlashAttention-4's rescaling: what stands for the maximum rises only where a tile's lies more than 8 above it, so that most tiles leave acc and l as they are
import torch


def lazy_attention(q, k, v, tile_m, tile_n, causal=False, scale=None):
    heads, n_q, d = q.shape
    n_k, d_v = v.shape[1:]
    scale = d**-0.5 if scale is None else scale
    o = q.new_zeros(heads, n_q, d_v)
    for first in range(0, n_q, tile_m):
        rows = q[:, first : first + tile_m]
        count = rows.shape[1]
        stand = q.new_full((heads, count, 1), float("-inf"))
        l = q.new_zeros(heads, count, 1)
        acc = q.new_zeros(heads, count, d_v)
        for at in range(0, n_k, tile_n):
            s = rows @ k[:, at : at + tile_n].mT * scale
            if causal:
                last_seen = torch.arange(first, first + count)[:, None] + n_k - n_q
                s = s.masked_fill(torch.arange(at, at + s.shape[2]) > last_seen, float("-inf"))
            top = s.amax(dim=2, keepdim=True)
            rises = top > stand + 8
            new = torch.where(rises, top, stand)
            new_finite = new.masked_fill(new == float("-inf"), 0.0)
            a = torch.exp(stand - new_finite)
            p = torch.exp(s - new_finite)
            acc = a * acc + p @ v[:, at : at + tile_n]
            l = a * l + p.sum(dim=2, keepdim=True)
            stand = new
        o[:, first : first + count] = torch.where(l > 0, acc / l, torch.zeros_like(acc))
    return o
