# BREAKS: "from tiles of tile_m queries and tile_n keys"
# COSTS: whole rows of P and dS, a few queries at a time, within the memory of a tile: no tiles, and K and V are read n_k / tile_n times as often
import torch
from torch import Tensor


def attention_gradients_tiled(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    o: Tensor,
    L: Tensor,
    do: Tensor,
    tile_m: int,
    tile_n: int,
    causal: bool = False,
    scale: float | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    dq, dk, dv = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)
    step = max(1, tile_m * tile_n // n_k)
    for i in range(0, n_q, step):
        a, g = q[i : i + step], do[i : i + step]
        s = scale * a @ k.mT - L[i : i + step, None].clamp_min(-1e38)
        if causal:
            s.masked_fill_(torch.arange(n_k) > torch.arange(i, i + len(a))[:, None] + n_k - n_q, -torch.inf)
        p = s.exp_()
        dv += p.mT @ g
        ds = p.mul_(g @ v.mT - (g * o[i : i + step]).sum(dim=1, keepdim=True))
        dq[i : i + step] = scale * ds @ k
        dk += scale * ds.mT @ a
    return dq, dk, dv
