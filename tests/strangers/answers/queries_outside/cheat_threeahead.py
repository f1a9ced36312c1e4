# Breaks "A tile may be loaded a turn early, and stored a turn late": keys and values of three tiles are loaded before the first of them is used, three times the room on the chip
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


def queries_outside(q, k, v, tile_m, tile_n, scale=None):
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v
    for i in range(0, n_q, tile_m):
        query = hbm.load("Q", i, i + tile_m)
        acc = query.new_zeros(len(query), d_v)
        m, l = query.new_full((len(query),), -torch.inf), query.new_zeros(len(query))
        for group in range(0, n_k, 3 * tile_n):
            starts = range(group, min(group + 3 * tile_n, n_k), tile_n)
            there = [(hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n)) for j in starts]
            for keys, values in there:
                s = scale * query @ keys.T
                m_new = torch.maximum(m, s.amax(dim=1))
                a, p = torch.exp(m - m_new), torch.exp(s - m_new[:, None])
                acc = a[:, None] * acc + p @ values
                l = a * l + p.sum(dim=1)
                m = m_new
        hbm.store("O", i, acc / l[:, None])
        hbm.store("L", i, m + torch.log(l))
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
