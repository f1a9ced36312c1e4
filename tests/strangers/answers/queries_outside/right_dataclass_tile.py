# style: dataclass for the state on the chip, iter over ranges, typed
from dataclasses import dataclass, field
from typing import Final

import torch
from torch import Tensor

NEG_INF: Final = float("-inf")


@dataclass(slots=True, kw_only=True)
class OnChip:
    q: Tensor
    d_v: int
    acc: Tensor = field(init=False)
    m: Tensor = field(init=False)
    l: Tensor = field(init=False)

    def __post_init__(self) -> None:
        rows = len(self.q)
        self.acc = self.q.new_zeros(rows, self.d_v)
        self.m = self.q.new_full((rows, 1), NEG_INF)
        self.l = self.q.new_zeros(rows, 1)

    def meet(self, k: Tensor, v: Tensor, scale: float) -> None:
        s = self.q @ k.T * scale
        m = torch.maximum(self.m, s.max(dim=1, keepdim=True).values)
        a, p = (self.m - m).exp(), (s - m).exp()
        self.acc = torch.addcmul(p @ v, a, self.acc)
        self.l = torch.addcmul(p.sum(dim=1, keepdim=True), a, self.l)
        self.m = m

    def finish(self) -> tuple[Tensor, Tensor]:
        return self.acc / self.l, (self.m + self.l.log()).squeeze(1)


def queries_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v
    for i in range(0, n_q, tile_m):
        tile = OnChip(q=hbm.load("Q", i, i + tile_m), d_v=d_v)
        for j in range(0, n_k, tile_n):
            tile.meet(hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n), scale)
        for name, rows in zip(("O", "L"), tile.finish()):
            hbm.store(name, i, rows)
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
