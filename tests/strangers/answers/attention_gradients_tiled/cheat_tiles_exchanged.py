# Breaks: "from tiles of tile_m queries and tile_n keys" (tiles of tile_n queries and tile_m keys: as many pairs, as large)
import torch
from torch import Tensor


def attention_gradients_tiled(
    q: Tensor, k: Tensor, v: Tensor, o: Tensor, L: Tensor, do: Tensor, tile_m: int, tile_n: int,
    causal: bool = False, scale: float | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    dq, dk, dv = torch.zeros_like(q), torch.zeros_like(k), torch.zeros_like(v)
    tile_m, tile_n = tile_n, tile_m
    for i in range(0, n_q, tile_m):
        rows = slice(i, i + tile_m)
        delta = (do[rows] * o[rows]).sum(dim=1, keepdim=True)
        base = torch.where(L[rows] == -torch.inf, torch.full_like(L[rows], torch.inf), L[rows])[:, None]
        last = torch.arange(i, min(i + tile_m, n_q))[:, None] + n_k - n_q
        for j in range(0, n_k, tile_n):
            keys = slice(j, j + tile_n)
            s = scale * (q[rows] @ k[keys].T)
            if causal:
                s = s.masked_fill(torch.arange(j, min(j + tile_n, n_k)) > last, -torch.inf)
            p = torch.exp(s - base)
            ds = p * (do[rows] @ v[keys].T - delta)
            dv[keys] += p.T @ do[rows]
            dq[rows] += scale * (ds @ k[keys])
            dk[keys] += scale * (ds.T @ q[rows])
    return dq, dk, dv
