# Visits the blocks from first to last: in any order the result is the same, and the contract asks for none.
import torch
from torch import Tensor


def attention_by_blocks(q, k, v, order, tile_n, causal=False, scale=None):
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    n, N = len(q), len(k)
    m, l, o = torch.full((n, 1), -torch.inf), torch.zeros(n, 1), torch.zeros(n, v.shape[1])
    for b in sorted(order):
        j = b * tile_n
        s = scale * (q @ k[j : j + tile_n].T)
        if causal:
            s = s.masked_fill(torch.arange(j, min(j + tile_n, N)) > torch.arange(n)[:, None] + N - n, -torch.inf)
        new = torch.maximum(m, s.amax(-1, keepdim=True))
        safe = torch.where(new.isinf(), torch.zeros_like(new), new)
        a, p = torch.exp(m - safe), torch.exp(s - safe)
        l = a * l + p.sum(-1, keepdim=True)
        o = a * o + p @ v[j : j + tile_n]
        m = new
    return o / torch.where(l == 0, torch.ones_like(l), l), (m + l.log()).squeeze(1)
