# The numbers of a chunk's keys as one index vector, index_select for both keys and values.
import torch
from torch import Tensor


def long_prefill(
    q: Tensor,
    k: Tensor,
    v: Tensor,
    chunk: int,
    window: int,
    sinks: int = 0,
    scale: float | None = None,
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    o = q.new_zeros(n_q, v.shape[1])
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    window, sinks = min(window, n_k), min(sinks, n_k)
    for i, rows in zip(range(0, n_q, chunk), q.split(chunk)):
        first = n_k - n_q + i
        end = first + rows.size(0)
        begin = max(0, first - window + 1)
        j = torch.cat((torch.arange(min(sinks, begin)), torch.arange(begin, end)))
        back = torch.arange(first, end)[:, None] - j
        hidden = (back < 0) | ((back >= window) & (j >= sinks))
        s = rows.mm(k.index_select(0, j).t()).mul_(scale).masked_fill_(hidden, -torch.inf)
        o[i : i + len(rows)] = s.softmax(dim=1).mm(v.index_select(0, j))
    return o
