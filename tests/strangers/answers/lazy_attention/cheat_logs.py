# BREAKS: "and at the end o = acc / l"
# COSTS: acc is normalised after every tile, by e^(L - L') instead of a division, with twice the exponentials for each score
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
        lse = q.new_full(q_tile.shape[:2] + (1,), -torch.inf)
        acc = q.new_zeros(*q_tile.shape[:2], v.shape[-1])
        for j in range(0, n_k, tile_n):
            s = scale * q_tile @ k[:, j : j + tile_n].mT
            if causal:
                keys = torch.arange(j, j + s.shape[2])
                rows = torch.arange(i, i + s.shape[1])[:, None]
                s = s.masked_fill(keys > rows + n_k - n_q, -torch.inf)
            m = torch.maximum(s.amax(dim=-1, keepdim=True), lse)
            at = m.masked_fill(m == -torch.inf, 0)
            new = torch.log(torch.exp(s - at).sum(dim=-1, keepdim=True) + torch.exp(lse - at)) + at
            to = new.masked_fill(new == -torch.inf, 0)
            acc = torch.exp(lse - to) * acc + torch.exp(s - to) @ v[:, j : j + tile_n]
            lse = new
        o[:, i : i + tile_m] = acc
    return o
