# Right: sinks and window joined into one index tensor per chunk, index_select for keys and values
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
    for i in range(0, n_q, chunk):
        queries = q[i : i + chunk]
        first = i + n_k - n_q
        end = first + len(queries)
        near = max(0, first - window + 1)
        index = torch.cat([torch.arange(min(sinks, near)), torch.arange(near, end)])
        p = torch.arange(first, end)[:, None]
        seen = (index <= p) & ((index > p - window) | (index < sinks))
        s = scale * (queries @ k.index_select(0, index).T)
        s = s.masked_fill(seen.logical_not(), -torch.inf)
        o[i : i + chunk] = s.softmax(-1) @ v.index_select(0, index)
    return o
