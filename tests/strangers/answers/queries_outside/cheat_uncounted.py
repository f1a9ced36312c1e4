# BREAKS: "from here on they are seen through hbm only"
# COSTS: Q, K and V are read where they lie, whole, and the counters are written by hand
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
    q, k, v = (hbm.tensors[name] for name in "QKV")
    d = q.shape[1]
    for i in range(0, n_q, tile_m):
        s = scale * q[i : i + tile_m] @ k.mT
        m = s.amax(dim=1, keepdim=True)
        p = torch.exp(s - m)
        l = p.sum(dim=1, keepdim=True)
        hbm.store("O", i, p @ v / l)
        hbm.store("L", i, (m + torch.log(l))[:, 0])
        vars(hbm)["loads"] += len(s) * d + n_k * (d + d_v)
    return hbm.tensors["O"], hbm.tensors["L"], hbm.loads, hbm.stores
