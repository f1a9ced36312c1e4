# Right: functools.reduce over a map of blocks, nested helper with partial; L by m + log l
from functools import partial, reduce

import torch
from torch import Tensor


def _block(q, k, v, causal, scale, tile_n, b):
    n_q, n_k = len(q), len(k)
    sl = slice(b * tile_n, min((b + 1) * tile_n, n_k))
    s = (q @ k[sl].T).mul_(scale)
    if causal:
        see = torch.arange(sl.start, sl.stop)[None] <= torch.arange(n_q)[:, None] + n_k - n_q
        s.masked_fill_(~see, -torch.inf)
    m = s.amax(1)
    p = torch.exp(s - torch.where(m.isneginf(), 0.0, m)[:, None])
    return p @ v[sl], m, p.sum(1)  # not divided yet


def _join(a, b):
    (x, m1, l1), (y, m2, l2) = a, b
    m = torch.maximum(m1, m2)
    r = torch.where(m.isneginf(), 0.0, m)
    e1, e2 = torch.exp(m1 - r), torch.exp(m2 - r)
    return e1[:, None] * x + e2[:, None] * y, m, e1 * l1 + e2 * l2


def attention_by_blocks(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    order: list[int],
    tile_n: int,
    causal: bool = False,
    scale: float | None = None,
) -> tuple[Tensor, Tensor]:
    scale = q.shape[1] ** -0.5 if scale is None else scale
    acc, m, l = reduce(_join, map(partial(_block, q, k, v, causal, scale, tile_n), order))
    return acc / torch.where(l == 0, 1.0, l)[:, None], m + torch.log(l)
