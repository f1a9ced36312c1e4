# Style: the lesson's way: sinks and slice side by side are a short sequence, sink_attention does the rest.
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
    for start in range(0, n_q, chunk):
        stop = min(start + chunk, n_q)
        first, end = n_k - n_q + start, n_k - n_q + stop  # positions of the chunk
        oldest = max(first - window + 1, 0)
        kept = min(sinks, oldest)
        keys = torch.cat([k[:kept], k[oldest:end]])
        values = torch.cat([v[:kept], v[oldest:end]])
        o[start:stop] = sink_attention(q[start:stop], keys, values, window, sinks, scale)
    return o
