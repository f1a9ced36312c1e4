# Wrong: sinks and slice are put side by side without asking whether the slice reaches into the sinks. Shows near the
# beginning, where sinks > p0 - window + 1: those keys count twice ("each once").
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
    for start in range(0, n_q, chunk):
        stop = min(start + chunk, n_q)
        p = torch.arange(n_k - n_q + start, n_k - n_q + stop)[:, None]
        low = max(n_k - n_q + start - window + 1, 0)
        j = torch.cat([torch.arange(min(sinks, n_k)), torch.arange(low, n_k - n_q + stop)])
        window_ = min(window, n_k)
        seen = (j <= p) & ((j > p - window_) | (j < min(sinks, n_k)))
        s = (scale * (q[start:stop] @ k[j].T)).masked_fill(~seen, -torch.inf)
        o[start:stop] = torch.softmax(s, dim=-1) @ v[j]
    return o
