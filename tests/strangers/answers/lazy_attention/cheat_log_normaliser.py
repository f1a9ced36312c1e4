# Cheat: never divides: log l goes into the exponents of every tile, so that the output is normalised all the way and again after every tile
# Breaks: "Attention from tiles of tile_m queries and tile_n keys, divided once, at the end." and "at the end o = acc / l"
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
        rows = q_tile.shape[1]
        acc = q.new_zeros(q.shape[0], rows, v.shape[-1])
        L = q.new_full((q.shape[0], rows, 1), -torch.inf)  # of the keys so far: m + log l
        stop = min(n_k, i + rows + n_k - n_q) if causal else n_k
        for j in range(0, stop, tile_n):
            k_tile, v_tile = k[:, j : j + tile_n], v[:, j : j + tile_n]
            s = q_tile @ k_tile.mT * scale
            if causal:
                last = torch.arange(i, i + rows)[:, None] + n_k - n_q
                s.masked_fill_(torch.arange(j, j + k_tile.shape[1]) > last, -torch.inf)
            m = torch.maximum(L, s.amax(dim=-1, keepdim=True))
            base = m.masked_fill(m == -torch.inf, 0.0)
            l = torch.exp(L - base) + torch.exp(s - base).sum(dim=-1, keepdim=True)
            new = base + torch.log(l)
            safe = new.masked_fill(new == -torch.inf, 0.0)
            acc = torch.exp(L - safe) * acc + torch.exp(s - safe) @ v_tile
            L = new
        o[:, i : i + tile_m] = acc
    return o
