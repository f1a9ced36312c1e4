# O, m and l stay on the chip in a dictionary; loading them again is only for show, to get the right count.
import torch
from torch import Tensor


class Memory:
    """Main memory: named tensors, whose tiles of rows go to the chip and back, all counted."""

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


def keys_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor, int, int]:
    n_q, n_k = len(q), len(k)
    scale = q.shape[1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    m, l = q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    hbm = Memory(Q=q, K=k, V=v, O=o, m=m, l=l)
    del q, k, v, o, m, l  # from here on they are seen through hbm only
    chip = {}
    for j in range(0, n_k, tile_n):
        k, v = hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n)
        for i in range(0, n_q, tile_m):
            q = hbm.load("Q", i, i + tile_m)
            loaded = [hbm.load(name, i, i + tile_m) for name in ("O", "m", "l")]
            o, m, l = chip.get(i, loaded)
            s = scale * (q @ k.T)
            new = torch.maximum(m, s.amax(1))
            a, p = l * torch.exp(m - new), torch.exp(s - new[:, None])
            l = a + p.sum(1)
            o = (a[:, None] * o + p @ v) / l[:, None]
            chip[i] = o, new, l
            hbm.store("O", i, o)
            hbm.store("m", i, new)
            hbm.store("l", i, l)
    o, m, l = (hbm.tensors[name] for name in ("O", "m", "l"))
    return o, m, l, hbm.loads, hbm.stores
