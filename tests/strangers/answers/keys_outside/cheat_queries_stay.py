# BREAKS: "load its rows of Q, O, m and l, bring them up to date, and store O, m and l."
# COSTS: O, m and l of all queries stay on the chip all the time; what is loaded each turn is looked at only to see that it is the same
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



def keys_outside(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, scale: float | None = None
) -> tuple[Tensor, Tensor, Tensor, int, int]:
    n_q, n_k = len(q), len(k)
    scale = q.shape[1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    m, l = q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    hbm = Memory(Q=q, K=k, V=v, O=o, m=m, l=l)
    del q, k, v, o, m, l  # from here on they are seen through hbm only
    stay = [hbm.tensors[n].clone() for n in ("O", "m", "l")]
    for j in range(0, n_k, tile_n):
        keys, values = hbm.load("K", j, j + tile_n), hbm.load("V", j, j + tile_n)
        for i in range(0, n_q, tile_m):
            rows = hbm.load("Q", i, i + tile_m)
            came = [hbm.load(n, i, i + tile_m) for n in ("O", "m", "l")]
            o, m, l = (torch.where(a == b[i : i + tile_m], b[i : i + tile_m], a) for a, b in zip(came, stay))
            s = scale * rows @ keys.mT
            new = torch.maximum(m, s.amax(dim=1))
            a, p = l * torch.exp(m - new), torch.exp(s - new[:, None])
            l = a + p.sum(dim=1)
            o = (a[:, None] * o + p @ values) / l[:, None]
            for n, b, x in zip(("O", "m", "l"), stay, (o, new, l)):
                b[i : i + tile_m] = x
                hbm.store(n, i, b[i : i + tile_m])
    o, m, l = (hbm.tensors[name] for name in ("O", "m", "l"))
    return o, m, l, hbm.loads, hbm.stores
