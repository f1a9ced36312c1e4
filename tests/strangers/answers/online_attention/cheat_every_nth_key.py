# what makes a chunk: memory, products and divisions are counted, not which keys meet at a time: a chunk is no piece of tile_n neighbours, "the last chunk is what is left", but every n-th key for each of n of them, all about as large, so no keys come in their order
import torch
from torch import Tensor


def online_attention(
    q: Tensor, k: Tensor, v: Tensor, tile_n: int, causal: bool = False, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    chunks = -(-n_k // tile_n)
    o, m, l = q.new_zeros(n_q, v.shape[1]), q.new_full((n_q,), -torch.inf), q.new_zeros(n_q)
    for first in range(chunks):
        s = scale * (q @ k[first::chunks].T)
        if causal:
            query, key = torch.arange(n_q)[:, None], torch.arange(first, n_k, chunks)
            s = s.masked_fill(key > query + n_k - n_q, -torch.inf)
        m_new = torch.maximum(m, s.amax(dim=-1))
        shift = torch.where(torch.isneginf(m_new), 0, m_new)
        past = l * torch.exp(m - shift)
        p = torch.exp(s - shift[:, None])
        l = past + p.sum(dim=-1)
        o = (past[:, None] * o + p @ v[first::chunks]) / torch.where(l == 0, 1, l)[:, None]
        m = m_new
    return o
