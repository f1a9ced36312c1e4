# Right within its contract: m, rowmax S)" (one maximum for the whole tile of queries, not one per row; the real one only where rows lie far apart
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
        l = q.new_zeros(q.shape[0], q_tile.shape[1], 1)
        m = q.new_full(l.shape, -torch.inf)
        for j in range(0, n_k, tile_n):
            s = q_tile @ k[:, j : j + tile_n].mT
            if causal:
                keys = torch.arange(j, j + s.shape[2])
                s = s.masked_fill(keys > rows + n_k - n_q, -torch.inf)
            row_max = torch.maximum(m, s.amax(dim=-1, keepdim=True))
            top = row_max.amax(dim=1, keepdim=True).expand_as(row_max)
            low = torch.where(row_max == -torch.inf, top, row_max).amin(dim=1, keepdim=True)
            m_new = torch.where(top - low < 40.0, top, row_max)
            m_new = torch.where(m > m_new, m, m_new)
            shift = torch.where(m_new == -torch.inf, torch.zeros_like(m_new), m_new)
            a, p = torch.exp(m - shift), torch.exp(s - shift)
            acc = a * acc + p @ v[:, j : j + tile_n]
            l = a * l + p.sum(dim=-1, keepdim=True)
            m = m_new
        o[:, i : i + tile_m] = acc / torch.where(l == 0, torch.ones_like(l), l)
    return o
