# Reduce over a generator of unnormalised (sum, m, l) triples per block, visited sorted by block number.
from functools import reduce

import torch
from torch import Tensor


def attention_by_blocks(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    order: list[int],
    tile_n: int,
    causal: bool = False,
    scale: float | None = None,
) -> tuple[Tensor, Tensor]:
    n_q, n_k = len(q), len(k)
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    limit = torch.arange(n_q)[:, None] + (n_k - n_q)

    def one(b):
        begin, end = b * tile_n, min(n_k, (b + 1) * tile_n)
        s = scale * (q @ k[begin:end].T)
        if causal:
            s = s.masked_fill(torch.arange(begin, end) > limit, -torch.inf)
        m = s.amax(dim=1, keepdim=True)
        p = torch.exp(s - m.masked_fill(m == -torch.inf, 0.0))
        return p @ v[begin:end], m, p.sum(dim=1, keepdim=True)

    def merged(a, b):
        (acc1, m1, l1), (acc2, m2, l2) = a, b
        m = torch.maximum(m1, m2)
        base = m.masked_fill(m == -torch.inf, 0.0)
        e1, e2 = torch.exp(m1 - base), torch.exp(m2 - base)
        return acc1 * e1 + acc2 * e2, m, l1 * e1 + l2 * e2

    acc, m, l = reduce(merged, (one(b) for b in sorted(order)))
    return acc / l.masked_fill(l == 0, 1.0), (m + torch.log(l))[:, 0]
