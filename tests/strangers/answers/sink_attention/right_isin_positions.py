# Every query its own list of seen positions through nonzero.
import torch
from torch import Tensor


def sink_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, sinks: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = len(q), len(k)
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    for i, p in enumerate(range(n_k - n_q, n_k)):
        seen = sorted({*range(min(sinks, p + 1)), *range(max(0, p - window + 1), p + 1)})
        o[i] = torch.softmax(k[seen] @ q[i] * scale, 0) @ v[seen]
    return o
