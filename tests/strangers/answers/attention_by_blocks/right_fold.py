# map and reduce, a lambda for the block, starmap; L by logarithm of a clamped denominator
from functools import partial, reduce
import torch


def attention_by_blocks(q, k, v, order, tile_n, causal=False, scale=None):
    n_q, n_k = q.size(0), k.size(0)
    rows = torch.arange(n_q)[:, None] + n_k - n_q
    mask_of = lambda a, b: torch.arange(a, b)[None] <= rows if causal else None
    call = partial(attention_block, q, scale=scale)
    piece = lambda a, b: call(k[a:b], v[a:b], mask=mask_of(a, b))
    ends = ((b * tile_n, min(n_k, (b + 1) * tile_n)) for b in order)
    parts = (piece(*e) for e in ends)
    o, m, l = reduce(lambda one, two: merge_blocks(*one, *two), parts)
    return o, torch.where(l > 0, m + l.clamp(min=1e-38).log(), -torch.inf)
