# Style: straightforward torch, one softmax per chunk over the keys up to the chunk's end.
import torch
from torch import Tensor


def chunked_prefill(
    q: Tensor, k: Tensor, v: Tensor, chunk: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    past = n_k - n_q
    for start in range(0, n_q, chunk):
        end = min(start + chunk, n_q)
        s = scale * (q[start:end] @ k[: past + end].T)
        future = torch.ones_like(s, dtype=torch.bool).triu(past + start + 1)
        s.masked_fill_(future, -torch.inf)
        torch.matmul(torch.softmax(s, dim=-1), v[: past + end], out=o[start:end])
    return o
