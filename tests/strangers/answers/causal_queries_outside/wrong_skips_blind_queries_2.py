# Tiles of queries that see no key are skipped by continue, so their Q is not loaded and L stays 0 instead of -inf.
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


def causal_queries_outside(q, k, v, tile_m, tile_n, scale=None):
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v
    for i in range(0, n_q, tile_m):
        stop = min(i + tile_m, n_q)
        last = min(n_k, stop + n_k - n_q)
        if last <= 0:
            continue
        queries = hbm.load("Q", i, stop)
        acc = queries.new_zeros(stop - i, d_v)
        m, l = queries.new_full((stop - i,), -torch.inf), queries.new_zeros(stop - i)
        for j in range(0, last, tile_n):
            keys, values = hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n)
            s = scale * (queries @ keys.T)
            p = torch.arange(i, stop)[:, None] + n_k - n_q
            s = s.masked_fill(torch.arange(j, j + len(keys)) > p, -torch.inf)
            top = torch.maximum(m, s.amax(dim=1))
            base = torch.where(top == -torch.inf, 0.0, top)
            e, a = torch.exp(s - base[:, None]), torch.exp(m - base)
            acc, l, m = acc * a[:, None] + e @ values, l * a + e.sum(dim=1), top
        hbm.store("O", i, acc / torch.where(l == 0, 1.0, l)[:, None])
        hbm.store("L", i, m + torch.log(l))
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
