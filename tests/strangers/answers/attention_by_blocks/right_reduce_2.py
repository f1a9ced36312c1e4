# Right: a generator of block results, merged by functools.reduce with a starred lambda.
from functools import reduce

import torch


def attention_by_blocks(q, k, v, order, tile_n, causal=False, scale=None):
    n_q, n_k = len(q), len(k)
    last = torch.arange(n_q)[:, None] + (n_k - n_q)

    def results():
        for b in order:
            begin, end = b * tile_n, min((b + 1) * tile_n, n_k)
            mask = torch.arange(begin, end) <= last if causal else None
            yield attention_block(q, k[begin:end], v[begin:end], mask, scale)

    o, m, l = reduce(lambda a, b: merge_blocks(*a, *b), results())
    return o, m + torch.log(l)
