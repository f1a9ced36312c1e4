# Tiles are spans, a named tuple with begin and end, in lists that a function returns.
import torch
from torch import Tensor
from typing import NamedTuple


class Span(NamedTuple):
    begin: int
    end: int

    def of(self, x: Tensor) -> Tensor:
        return x[self.begin : self.end]


def spans(n: int, tile: int) -> list[Span]:
    return [Span(b, min(b + tile, n)) for b in range(0, n, tile)]


def attention_gradients_tiled(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor,
    tile_m: int, tile_n: int, causal: bool = False, scale: float | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    assert q.shape[0] == o.shape[0] == L.shape[0] and k.shape[0] == v.shape[0]
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    shift = n_k - n_q
    dk, dv = torch.zeros_like(k), torch.zeros_like(v)
    parts_q = []
    for rows in spans(n_q, tile_m):
        mine = torch.zeros_like(rows.of(q))
        for cols in spans(n_k, tile_n):
            mask = None
            if causal:
                i = torch.arange(rows.begin, rows.end).view(-1, 1)
                mask = torch.arange(cols.begin, cols.end).view(1, -1) <= i + shift
            p = recompute_probabilities(rows.of(q), cols.of(k), rows.of(L), mask, scale)
            ds = score_gradients(p, cols.of(v), rows.of(o), rows.of(do))
            mine += ds @ cols.of(k)
            cols.of(dk).add_(ds.mT @ rows.of(q))
            cols.of(dv).add_(p.mT @ rows.of(do))
        parts_q.append(mine * scale)
    return torch.cat(parts_q), dk * scale, dv
