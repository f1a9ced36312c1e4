# Cheat: bounds the scores by the norms of queries and keys; where the bound is small (as with ordinary random data) there is no running maximum and nothing is rescaled, which saves most of the work of a tile.
# Breaks: "m' = max(m, rowmax S)        a = exp(m - m')        P = exp(S - m')"
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
    longest = torch.linalg.vector_norm(k, dim=-1).amax()
    for i in range(0, n_q, tile_m):
        q_tile = q[:, i : i + tile_m]
        rows = torch.arange(i, min(i + tile_m, n_q))[:, None] + n_k - n_q
        bound = abs(scale) * torch.linalg.vector_norm(q_tile, dim=-1).amax() * longest
        tame = bool(bound < 40)
        acc = q.new_zeros(q.shape[0], q_tile.shape[1], v.shape[-1])
        l = q.new_zeros(q.shape[0], q_tile.shape[1], 1)
        m = torch.full_like(l, -torch.inf)
        for j in range(0, n_k, tile_n):
            S = scale * (q_tile @ k[:, j : j + tile_n].mT)
            if causal:
                S = S.masked_fill(torch.arange(j, min(j + tile_n, n_k)) > rows, -torch.inf)
            if tame:
                P = torch.exp(S)
                acc += P @ v[:, j : j + tile_n]
                l += P.sum(dim=-1, keepdim=True)
                continue
            m_new = torch.maximum(m, S.amax(dim=-1, keepdim=True))
            shift = m_new.masked_fill(m_new == -torch.inf, 0)
            a, P = torch.exp(m - shift), torch.exp(S - shift)
            acc = a * acc + P @ v[:, j : j + tile_n]
            l = a * l + P.sum(dim=-1, keepdim=True)
            m = m_new
        o[:, i : i + tile_m] = acc / l.masked_fill(l == 0, 1)
    return o
