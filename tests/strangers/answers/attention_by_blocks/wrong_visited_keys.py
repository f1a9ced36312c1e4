# WRONG: N_k of the mask counts the visited keys only ("with N_k of all blocks, visited or not")
import torch
from torch import Tensor


def attention_by_blocks(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    order: list[int],
    tile_n: int,
    causal: bool = False,
    scale: float | None = None,
) -> tuple[Tensor, Tensor]:
    n_q, n_k = len(q), len(k)
    scale = q.shape[1] ** -0.5 if scale is None else scale
    acc = q.new_zeros(n_q, v.shape[1])
    m, l = q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    visited = sum(min(tile_n, n_k - b * tile_n) for b in order)
    for b in order:
        keys = torch.arange(b * tile_n, min((b + 1) * tile_n, n_k))
        s = scale * (q @ k[b * tile_n : (b + 1) * tile_n].T)
        if causal:
            s = s.masked_fill(keys > torch.arange(n_q)[:, None] + visited - n_q, -torch.inf)
        m_new = torch.maximum(m, s.amax(dim=1))
        shift = torch.where(m_new == -torch.inf, 0.0, m_new)
        alpha, p = torch.exp(m - shift), torch.exp(s - shift[:, None])
        l = alpha * l + p.sum(dim=1)
        acc = alpha[:, None] * acc + p @ v[b * tile_n : (b + 1) * tile_n]
        m = m_new
    o = acc / torch.where(l == 0, 1.0, l)[:, None]
    return o, m + torch.log(l)
