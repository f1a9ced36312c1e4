# BREAKS: "Each score is computed once."
# COSTS: every score is computed by a complex product, four real ones each, and P V likewise
import torch
from torch import Tensor


class Memory:
    """Main memory: named tensors, whose tiles of rows go to the chip and back, all counted.

    loads, stores: how many numbers have been moved to the chip and from it.
    """

    def __init__(self, **tensors: Tensor):
        self.tensors = tensors
        self.loads = self.stores = 0

    def load(self, name: str, start: int, stop: int) -> Tensor:
        """A copy of rows start to stop - 1, or of fewer where the tensor ends."""
        tile = self.tensors[name][start:stop].clone()
        self.loads += tile.numel()
        return tile

    def store(self, name: str, start: int, tile: Tensor) -> None:
        """Write the rows of `tile` over those from row start on."""
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
        rows = hbm.load("Q", i, i + tile_m)
        acc = rows.new_zeros(len(rows), d_v)
        m, l = rows.new_full((len(rows), 1), -torch.inf), rows.new_zeros(len(rows), 1)
        rows = torch.complex(rows, rows)
        for j in range(0, n_k, tile_n):
            keys, values = hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n)
            s = scale / 2 * (rows @ torch.complex(keys, -keys).mT).real
            new = torch.maximum(m, s.amax(dim=1, keepdim=True))
            a, p = torch.exp(m - new), torch.exp(s - new)
            acc = a * acc + (torch.complex(p, p) @ torch.complex(values, -values)).real / 2
            l = a * l + p.sum(dim=1, keepdim=True)
            m = new
        hbm.store("O", i, acc / l)
        hbm.store("L", i, (m + torch.log(l))[:, 0])
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
