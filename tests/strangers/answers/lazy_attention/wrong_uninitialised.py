# WRONG: tiles of queries that see no key are skipped, their rows of o stay uninitialised instead of 0 (causal, N_q > N_k)
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
        heads, rows = q_tile.shape[:2]
        if causal and i + rows - 1 + n_k - n_q < 0:
            continue
        acc = q.new_zeros(heads, rows, v.shape[-1])
        m = q.new_full((heads, rows, 1), -torch.inf)
        l = q.new_zeros(heads, rows, 1)
        for j in range(0, n_k, tile_n):
            s = scale * (q_tile @ k[:, j : j + tile_n].mT)
            if causal:
                keys = torch.arange(j, j + s.shape[2])
                last = torch.arange(i, i + rows)[:, None] + n_k - n_q
                s = s.masked_fill(keys > last, -torch.inf)
            m_new = torch.maximum(m, s.amax(dim=2, keepdim=True))
            shift = torch.where(m_new == -torch.inf, 0.0, m_new)
            alpha, p = torch.exp(m - shift), torch.exp(s - shift)
            acc = alpha * acc + p @ v[:, j : j + tile_n]
            l = alpha * l + p.sum(dim=2, keepdim=True)
            m = m_new
        o[:, i : i + rows] = acc / torch.where(l == 0, 1.0, l)
    return o
