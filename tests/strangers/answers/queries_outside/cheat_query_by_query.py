# Cheat: each tile of queries is multiplied query by query with the tile of keys: tiles of one query, keys loaded once for all of them, and every query has its own loop of softmax
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


def queries_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v  # from here on they are seen through hbm only
    for i in range(0, n_q, tile_m):
        queries = hbm.load("Q", i, i + tile_m) * scale
        state = [(queries.new_zeros(d_v), queries.new_full((), -torch.inf), queries.new_zeros(())) for _ in queries]
        for j in range(0, n_k, tile_n):
            keys, values = hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n)
            for r in range(len(queries)):
                acc, m, l = state[r]
                s = keys @ queries[r]
                m_new = torch.maximum(m, s.amax())
                a, p = torch.exp(m - m_new), torch.exp(s - m_new)
                state[r] = a * acc + p @ values, m_new, a * l + p.sum()
        hbm.store("O", i, torch.stack([acc / l for acc, m, l in state]))
        hbm.store("L", i, torch.stack([m + torch.log(l) for acc, m, l in state]))
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
