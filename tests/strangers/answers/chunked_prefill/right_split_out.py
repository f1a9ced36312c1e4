# style: torch.matmul(out=), zip over splits, try/finally-free, one mask per chunk
import torch
from torch import Tensor


def chunked_prefill(
    q: Tensor, k: Tensor, v: Tensor, chunk: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    for begin in range(0, n_q, chunk):
        end = min(begin + chunk, n_q)
        seen = end + n_k - n_q  # the last query of the chunk sees keys 0 to seen - 1
        s = torch.mm(q[begin:end], k[:seen].t()).mul_(scale)
        s += torch.full((end - begin, seen), float("-inf")).triu_(begin + n_k - n_q + 1)
        torch.mm(s.softmax(1), v[:seen], out=o[begin:end])
    return o
