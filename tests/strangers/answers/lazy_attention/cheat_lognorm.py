# The output is normalised after every tile and never divided at the end: the divisions hide in exponents, exp(s - m - log l).
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
        rows = torch.arange(i, min(i + tile_m, n_q))
        acc = q.new_zeros(q.shape[0], len(rows), v.shape[-1])
        m = q.new_full((q.shape[0], len(rows), 1), -torch.inf)
        l = torch.zeros_like(m)
        for j in range(0, n_k, tile_n):
            s = scale * (q_tile @ k[:, j : j + tile_n].mT)
            if causal:
                hidden = torch.arange(j, j + s.shape[-1]) > rows[:, None] + n_k - n_q
                s = s.masked_fill(hidden, -torch.inf)
            new = torch.maximum(m, s.amax(-1, keepdim=True))
            shift = torch.where(new == -torch.inf, 0, new)
            old = l * torch.exp(m - shift)
            l = old + torch.exp(s - shift).sum(-1, keepdim=True)
            log_l = torch.log(torch.where(l == 0, 1, l))
            keep = torch.exp(torch.log(old) - log_l)
            p = torch.exp(s - shift - log_l)
            acc = keep * acc + p @ v[:, j : j + tile_n]
            m = new
        o[:, i : i + tile_m] = acc
    return o
