# Style: a list of positions for each chunk, keys gathered by it, the mask written from positions, a manual softmax.
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
    for start in range(0, n_q, chunk):
        part = slice(start, min(start + chunk, n_q))
        p = torch.arange(part.start, part.stop)[:, None] + n_k - n_q
        low, high = max(int(p[0]) - window + 1, 0), int(p[-1]) + 1
        j = torch.cat([torch.arange(min(sinks, low)), torch.arange(low, high)])
        seen = (j <= p) & ((j > p - window) | (j < sinks))
        s = torch.where(seen, scale * (q[part] @ k[j].T), -torch.inf)
        e = torch.exp(s - s.amax(dim=1, keepdim=True))
        o[part] = (e @ v[j]) / e.sum(dim=1, keepdim=True)
    return o
