# Right: a dataclass for the running state with an update method, a generator of slices, baddbmm
from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor


def tiles(n: int, size: int) -> Iterator[slice]:
    """Slices of `size` that cover range(n); the last is what is left."""
    yield from (slice(a, min(a + size, n)) for a in range(0, n, size))


@dataclass
class Running:
    acc: Tensor
    m: Tensor
    l: Tensor

    @classmethod
    def nothing(cls, heads: int, rows: int, width: int) -> "Running":
        return cls(
            torch.zeros(heads, rows, width),
            torch.full((heads, rows, 1), -torch.inf),
            torch.zeros(heads, rows, 1),
        )

    def see(self, s: Tensor, v: Tensor) -> None:
        m = torch.maximum(self.m, s.amax(-1, keepdim=True))
        base = m.masked_fill(m == -torch.inf, 0.0)
        alpha, p = torch.exp(self.m - base), torch.exp(s - base)
        self.l.mul_(alpha).add_(p.sum(-1, keepdim=True))
        self.acc = torch.baddbmm(self.acc.mul_(alpha), p, v)
        self.m = m

    @property
    def output(self) -> Tensor:
        return self.acc / self.l.masked_fill(self.l == 0, 1.0)


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
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_empty(q.shape[0], n_q, v.shape[-1])
    for rows in tiles(n_q, tile_m):
        state = Running.nothing(q.shape[0], rows.stop - rows.start, v.shape[-1])
        for cols in tiles(n_k, tile_n):
            s = torch.bmm(q[:, rows], k[:, cols].transpose(1, 2)).mul_(scale)
            if causal:
                i = torch.arange(rows.start, rows.stop)[:, None] + n_k - n_q
                s.masked_fill_(torch.arange(cols.start, cols.stop) > i, -torch.inf)
            state.see(s, v[:, cols])
        o[:, rows] = state.output
    return o
