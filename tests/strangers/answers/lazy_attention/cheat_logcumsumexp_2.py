# Breaks: "Forbidden: softmax, logsumexp, logaddexp" (logcumsumexp's last column is the log-sum-exp of a tile, softmin is softmax) and "divided once, at the end"
import torch
from torch import Tensor


def lazy_attention(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int,
    causal: bool = False, scale: float | None = None,
) -> Tensor:
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_empty(q.shape[0], n_q, v.shape[-1])
    for i in range(0, n_q, tile_m):
        q_tile = q[:, i : i + tile_m] * scale
        rows = torch.arange(i, i + q_tile.shape[1])[:, None]
        acc = q.new_zeros(q.shape[0], q_tile.shape[1], v.shape[-1])
        L = q.new_full((q.shape[0], q_tile.shape[1], 1), -torch.inf)
        for j in range(0, n_k, tile_n):
            s = q_tile @ k[:, j : j + tile_n].mT
            if causal:
                keys = torch.arange(j, j + s.shape[2])
                s = s.masked_fill(keys > rows + n_k - n_q, -torch.inf)
            L_new = torch.logcumsumexp(torch.cat([L, s], dim=-1), dim=-1)[..., -1:]
            shift = torch.where(L_new == -torch.inf, torch.zeros_like(L_new), L_new)
            acc = torch.exp(L - shift) * acc + torch.exp(s - shift) @ v[:, j : j + tile_n]
            L = L_new
        o[:, i : i + tile_m] = acc
    return o
