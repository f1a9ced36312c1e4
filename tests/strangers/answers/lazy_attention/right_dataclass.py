# Right: a dataclass for the life of a tile of queries, with methods absorb and finish.
from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(slots=True)
class QueryTile:
    q: Tensor
    acc: Tensor
    m: Tensor
    l: Tensor

    @staticmethod
    def begin(q: Tensor, d_v: int) -> "QueryTile":
        heads, rows, _ = q.shape
        return QueryTile(
            q,
            q.new_zeros(heads, rows, d_v),
            q.new_full((heads, rows, 1), -torch.inf),
            q.new_zeros(heads, rows, 1),
        )

    def absorb(self, s: Tensor, v: Tensor) -> None:
        m = torch.maximum(self.m, s.amax(dim=-1, keepdim=True))
        base = torch.where(m == -torch.inf, 0.0, m)
        a, p = torch.exp(self.m - base), torch.exp(s - base)
        self.l = a * self.l + p.sum(dim=-1, keepdim=True)
        self.acc = torch.baddbmm(a * self.acc, p, v)
        self.m = m

    def finish(self) -> Tensor:
        return self.acc / torch.where(self.l == 0, 1.0, self.l)


def lazy_attention(q, k, v, tile_m, tile_n, causal=False, scale=None):
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_empty(q.shape[0], n_q, v.shape[-1])
    for i in range(0, n_q, tile_m):
        tile = QueryTile.begin(q[:, i : i + tile_m], v.shape[-1])
        rows = torch.arange(i, i + tile.q.shape[1])[:, None]
        for j in range(0, n_k, tile_n):
            k_tile, v_tile = k[:, j : j + tile_n], v[:, j : j + tile_n]
            s = tile.q @ k_tile.mT * scale
            if causal:
                columns = torch.arange(j, j + k_tile.shape[1])
                s = s.masked_fill(columns > rows + n_k - n_q, -torch.inf)
            tile.absorb(s, v_tile)
        o[:, i : i + tile_m] = tile.finish()
    return o
