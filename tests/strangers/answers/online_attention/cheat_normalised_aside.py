# Breaks: "The next chunk continues from the normalised output." (acc goes on undivided; the normalised output of every chunk is made beside it and thrown away)
import torch
from torch import Tensor


def online_attention(
    q: Tensor, k: Tensor, v: Tensor, tile_n: int, causal: bool = False, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    rows = torch.arange(n_q)[:, None]
    acc, l = q.new_zeros(n_q, v.shape[1]), q.new_zeros(n_q, 1)
    m = q.new_full((n_q, 1), -torch.inf)
    o = acc.clone()
    for j in range(0, n_k, tile_n):
        s = q @ k[j : j + tile_n].T * scale
        if causal:
            s = s.masked_fill(torch.arange(j, j + s.shape[1]) > rows + n_k - n_q, -torch.inf)
        m_new = torch.maximum(m, s.amax(dim=1, keepdim=True))
        safe = torch.where(m_new == -torch.inf, torch.zeros_like(m_new), m_new)
        a, p = torch.exp(m - safe), torch.exp(s - safe)
        acc = a * acc + p @ v[j : j + tile_n]
        l = a * l + p.sum(dim=1, keepdim=True)
        m = m_new
        o = acc / torch.where(l == 0, torch.ones_like(l), l)
    return o
