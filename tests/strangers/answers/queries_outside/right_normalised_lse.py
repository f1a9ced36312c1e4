# (o, L) is kept divided on the way, state merged with sums in helper functions and chunks over a generator of ranges.
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


def _cuts(n, tile):
    yield from ((begin, min(n, begin + tile)) for begin in range(0, n, tile))


def queries_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, int, int]:
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v
    for begin, end in _cuts(n_q, tile_m):
        queries = hbm.load("Q", begin, end)
        o = queries.new_zeros(end - begin, d_v)
        m = queries.new_full((end - begin, 1), -torch.inf)
        l = queries.new_zeros(end - begin, 1)
        for cut in _cuts(n_k, tile_n):
            s = scale * (queries @ hbm.load("K", *cut).T)
            top = torch.maximum(m, s.amax(dim=1, keepdim=True))
            p, a = torch.exp(s - top), l * torch.exp(m - top)
            l, m = a + p.sum(dim=1, keepdim=True), top
            o = torch.addmm(a / l * o, p / l, hbm.load("V", *cut))
        hbm.store("O", begin, o)
        hbm.store("L", begin, (m + torch.log(l)).flatten())
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
