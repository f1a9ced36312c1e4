# O lies in main memory undivided until the last tile of keys ("O' = (l e^(m - m') O + P V) / l'" after every tile is asked): what is loaded and stored is the same, and nobody looks at what it is.
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


def keys_outside(q, k, v, tile_m, tile_n, scale=None):
    n_q, n_k = len(q), len(k)
    scale = q.shape[1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    m, l = q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    hbm = Memory(Q=q, K=k, V=v, O=o, m=m, l=l)
    del q, k, v, o, m, l
    for j in range(0, n_k, tile_n):
        k_tile, v_tile = hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n)
        for i in range(0, n_q, tile_m):
            q_tile, o = hbm.load("Q", i, i + tile_m), hbm.load("O", i, i + tile_m)
            m, l = hbm.load("m", i, i + tile_m), hbm.load("l", i, i + tile_m)
            s = scale * (q_tile @ k_tile.T)
            m_new = torch.maximum(m, s.amax(dim=1))
            p, a = torch.exp(s - m_new[:, None]), torch.exp(m - m_new)
            o, l = a[:, None] * o + p @ v_tile, a * l + p.sum(dim=1)
            if j + tile_n >= n_k:
                o = o / l[:, None]
            hbm.store("O", i, o)
            hbm.store("m", i, m_new)
            hbm.store("l", i, l)
    o, m, l = (hbm.tensors[name] for name in ("O", "m", "l"))
    return o, m, l, hbm.loads, hbm.stores
