# BREAKS: "over tiles of keys with scores S (H, tile_m, tile_n) and values V (H, tile_n, d_v)"
# COSTS: no online softmax at all: plain softmax over whole rows, with fewer queries at a time so that the memory of one tile is met; keys are read tile_n*.. times more often
import torch
from torch import Tensor


def lazy_attention(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    tile_m: int,
    tile_n: int,
    causal: bool = False,
    scale: float | None = None,
) -> Tensor:
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_empty(q.shape[0], n_q, v.shape[-1])
    for i in range(0, n_q, tile_m):
        q_tile = q[:, i : i + tile_m]
        # as many whole rows as there is room for in one tile
        step = max(1, tile_m * tile_n // n_k)
        for a in range(0, q_tile.shape[1], step):
            rows = q_tile[:, a : a + step]
            s = scale * rows @ k.mT
            if causal:
                last = torch.arange(i + a, i + a + rows.shape[1])[:, None] + n_k - n_q
                s.masked_fill_(torch.arange(n_k) > last, -torch.inf)
            s -= s.amax(dim=-1, keepdim=True).clamp_min(-1e38)
            s.exp_()
            l = s.sum(dim=-1, keepdim=True)
            o[:, i + a : i + a + step] = s @ v / l.clamp_min(1e-30)
    return o
