# Right: torch.split of all three tensors and zip, nested function with nonlocal, itertools.count for offsets, list + cat
import itertools

import torch
from torch import Tensor


def lazy_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    tile_m: int,
    tile_n: int,
    causal: bool = False,
    scale: float | None = None,
) -> Tensor:
    """Attention from tiles of tile_m queries and tile_n keys, divided once, at the end."""
    (heads, n_q, d), n_k = q.shape, k.shape[1]
    factor = d**-0.5 if scale is None else scale
    shift = n_k - n_q

    def attend_tile(first: int, queries: Tensor) -> Tensor:
        rows = queries.shape[1]
        m = l = acc = None

        def visit(start: int, keys: Tensor, values: Tensor) -> None:
            nonlocal m, l, acc
            s = factor * queries.matmul(keys.mT)
            if causal and start + keys.shape[1] - 1 > first + shift:
                ahead = torch.arange(keys.shape[1]) + start > torch.arange(rows)[:, None] + first + shift
                s = s.where(~ahead, -torch.inf)
            top = s.max(dim=2).values
            if m is not None:
                top = torch.maximum(m, top)
            safe = torch.where(top.isneginf(), 0.0, top)
            p = (s - safe[..., None]).exp_()
            if m is None:
                l, acc = p.sum(2), p @ values
            else:
                a = (m - safe).exp_()
                l = torch.addcmul(p.sum(2), l, a)
                acc = torch.addcmul(p @ values, acc, a[..., None])
            m = top

        for start, keys, values in zip(itertools.count(0, tile_n), k.split(tile_n, 1), v.split(tile_n, 1)):
            visit(start, keys, values)
        return acc / l.masked_fill(l.eq(0), 1)[..., None]

    return torch.cat(
        [attend_tile(a, t) for a, t in zip(itertools.count(0, tile_m), q.split(tile_m, 1))], dim=1
    )
