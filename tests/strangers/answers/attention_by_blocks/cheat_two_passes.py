# nothing is merged: a first pass over all blocks finds the maxima, a second one computes all scores once more and sums under them, a softmax with two passes; products are not counted here
import math
from collections.abc import Sequence
import torch
from torch import Tensor
def attention_by_blocks(q, k, v, order, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    last_seen = torch.arange(n_q)[:, None] + n_k - n_q

    def scores(b):
        start, stop = b * tile_n, min((b + 1) * tile_n, n_k)
        s = scale * (q @ k[start:stop].T)
        return s.masked_fill(torch.arange(start, stop) > last_seen, -torch.inf) if causal else s

    m = q.new_full((n_q,), -torch.inf)
    for b in order:
        m = torch.maximum(m, scores(b).amax(dim=1))
    shift = torch.where(torch.isneginf(m), 0, m)[:, None]
    o, l = q.new_zeros(n_q, v.shape[1]), q.new_zeros(n_q)
    for b in order:
        p = torch.exp(scores(b) - shift)
        l += p.sum(dim=1)
        o += p @ v[b * tile_n : (b + 1) * tile_n]
    return o / torch.where(l == 0, 1, l)[:, None], m + torch.log(l)

