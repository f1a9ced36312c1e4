# A context manager loads a tile of queries with its state and stores the state when the block ends.
from contextlib import contextmanager
from types import SimpleNamespace

import torch
from torch import Tensor


class Memory:
    def __init__(self, **tensors: Tensor):
        self.tensors = tensors
        self.loads = self.stores = 0

    def load(self, name: str, start: int, stop: int) -> Tensor:
        tile = self.tensors[name][start:stop].clone()
        self.loads += tile.numel()
        return tile

    def store(self, name: str, start: int, tile: Tensor) -> None:
        self.tensors[name][start : start + len(tile)] = tile
        self.stores += tile.numel()


@contextmanager
def _on_chip(hbm: Memory, start: int, stop: int):
    q, o, m, l = (hbm.load(name, start, stop) for name in ("Q", "O", "m", "l"))
    tile = SimpleNamespace(q=q, o=o, m=m, l=l)
    yield tile
    for name, value in (("O", tile.o), ("m", tile.m), ("l", tile.l)):
        hbm.store(name, start, value)


def keys_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor, int, int]:
    n_q, n_k = len(q), len(k)
    scale = q.shape[1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    m, l = q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    hbm = Memory(Q=q, K=k, V=v, O=o, m=m, l=l)
    del q, k, v, o, m, l
    for j in range(0, n_k, tile_n):
        keys, values = hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n)
        for i in range(0, n_q, tile_m):
            with _on_chip(hbm, i, i + tile_m) as tile:
                s = scale * (tile.q @ keys.T)
                top = torch.maximum(tile.m, s.amax(dim=1))
                p, old = torch.exp(s - top[:, None]), tile.l * torch.exp(tile.m - top)
                tile.m, tile.l = top, old + p.sum(dim=1)
                tile.o = (old[:, None] * tile.o + p @ values) / tile.l[:, None]
    o, m, l = (hbm.tensors[name] for name in ("O", "m", "l"))
    return o, m, l, hbm.loads, hbm.stores
