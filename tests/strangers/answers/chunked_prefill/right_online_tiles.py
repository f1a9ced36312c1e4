# Style: FlashAttention in Python: every chunk of queries walks over tiles of `chunk` keys with m, l, acc.
import torch
from torch import Tensor


def chunked_prefill(
    q: Tensor, k: Tensor, v: Tensor, chunk: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    position = torch.arange(n_k - n_q, n_k)
    for i in range(0, n_q, chunk):
        mine = position[i : i + chunk, None]
        stop = min(n_k - n_q + i + chunk, n_k)
        m = q.new_full(mine.shape, -torch.inf)
        l = q.new_zeros(mine.shape)
        acc = q.new_zeros(len(mine), v.shape[1])
        for j in range(0, stop, chunk):
            keys = torch.arange(j, min(j + chunk, stop))
            s = torch.where(keys <= mine, scale * (q[i : i + chunk] @ k[keys].T), -torch.inf)
            m_new = torch.maximum(m, s.amax(dim=1, keepdim=True))
            alpha, p = torch.exp(m - m_new), torch.exp(s - m_new)
            l = alpha * l + p.sum(dim=1, keepdim=True)
            acc = alpha * acc + p @ v[keys]
            m = m_new
        o[i : i + chunk] = acc / l
    return o
