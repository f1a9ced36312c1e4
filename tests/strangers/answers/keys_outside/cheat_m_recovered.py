# Breaks: "load its rows of Q, O, m and l, bring them up to date, and store O, m and l" (what lies in memory as O is undivided until the last tile of keys, and l is stored as log l: not the state the contract names)
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


def keys_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor, int, int]:
    n_q, n_k = len(q), len(k)
    scale = q.shape[1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    m, l = q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    hbm = Memory(Q=q, K=k, V=v, O=o, m=m, l=l)
    del q, k, v, o, m, l  # from here on they are seen through hbm only
    for j in range(0, n_k, tile_n):
        keys, values = hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n)
        last = j + tile_n >= n_k
        for i in range(0, n_q, tile_m):
            s = scale * hbm.load("Q", i, i + tile_m) @ keys.T
            acc, m_old, l_old = (hbm.load(name, i, i + tile_m) for name in ("O", "m", "l"))
            l_old = torch.exp(l_old) - 1
            m_new = torch.maximum(m_old, s.amax(dim=1))
            a, p = torch.exp(m_old - m_new), torch.exp(s - m_new[:, None])
            l_new = a * l_old + p.sum(dim=1)
            acc = a[:, None] * acc + p @ values
            hbm.store("O", i, acc / l_new[:, None] if last else acc)
            hbm.store("m", i, m_new)
            hbm.store("l", i, l_new if last else torch.log1p(l_new))
    o, m, l = (hbm.tensors[name] for name in ("O", "m", "l"))
    return o, m, l, hbm.loads, hbm.stores
