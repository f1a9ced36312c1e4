# Honest: a closure per tile, split() for the tiles, torch.baddbmm, zip and a generator; logging.
import logging
import torch
from torch import Tensor



log = logging.getLogger(__name__)


def lazy_attention(q, k, v, tile_m, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    log.debug("tiles of %d x %d", tile_m, tile_n)

    def attended(first: int, queries: Tensor) -> Tensor:
        heads, rows, _ = queries.shape
        acc = queries.new_zeros(heads, rows, v.shape[-1])
        m = queries.new_full((heads, rows, 1), float("-inf"))
        l = torch.zeros_like(m)
        last = torch.arange(first, first + rows).add_(n_k - n_q).unsqueeze(-1)
        begin = 0
        for keys, values in zip(k.split(tile_n, dim=1), v.split(tile_n, dim=1)):
            s = torch.bmm(queries, keys.transpose(1, 2)).mul_(scale)
            if causal:
                hidden = torch.arange(begin, begin + keys.shape[1]) > last
                s.masked_fill_(hidden, float("-inf"))
            top = torch.maximum(m, s.max(dim=-1, keepdim=True).values)
            anchor = top.masked_fill(top.isneginf(), 0.0)
            decay = (m - anchor).exp_()
            s.sub_(anchor).exp_()
            l.mul_(decay).add_(s.sum(-1, keepdim=True))
            acc.mul_(decay)
            acc.baddbmm_(s, values)
            m, begin = top, begin + keys.shape[1]
        return acc.div_(l.masked_fill(l == 0, 1.0))

    pieces, first = [], 0
    o = q.new_empty(q.shape[0], n_q, v.shape[-1])
    for queries, out in zip(q.split(tile_m, dim=1), o.split(tile_m, dim=1)):
        out.copy_(attended(first, queries))
        first += queries.shape[1]
    return o
