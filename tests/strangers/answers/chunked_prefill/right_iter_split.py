# A generator of (begin, queries) pairs with a mask by tril; results written by narrow.copy_.
import torch
from torch import Tensor


def _pieces(q, chunk):
    begin = 0
    while begin < len(q):
        yield begin, q[begin : begin + chunk]
        begin += chunk


def chunked_prefill(
    q: Tensor, k: Tensor, v: Tensor, chunk: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    for begin, part in _pieces(q, chunk):
        first = begin + n_k - n_q
        end = first + len(part)
        s = torch.matmul(part, k[:end].T).mul_(scale)
        s[:, first:].masked_fill_(~torch.ones(len(part), len(part), dtype=torch.bool).tril(), -torch.inf)
        o[begin : begin + len(part)].copy_(s.softmax(dim=-1) @ v[:end])
    return o
