# The last key of a chunk by chunk size, not by its length: with a ragged last chunk slices end at N_k, but the mask sits wrong.
import torch
from torch import Tensor


def chunked_prefill(
    q: Tensor, k: Tensor, v: Tensor, chunk: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_empty(n_q, v.shape[1])
    for first in range(0, n_q, chunk):
        rows = q[first : first + chunk]
        end = n_k - n_q + first + len(rows)
        s = torch.mm(rows, k[:end].T).mul_(scale)
        s += torch.full(s.shape, -torch.inf).triu_(n_k - n_q + first // chunk * len(rows) + 1)
        torch.mm(torch.softmax(s, -1), v[:end], out=o[first : first + chunk])
    return o
