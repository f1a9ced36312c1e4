# The default scale is made of the values' width, not the keys': the same where d = d_v.
import torch
from torch import Tensor


def sink_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, sinks: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = len(q), len(k)
    scale = v.shape[-1] ** -0.5 if scale is None else scale
    p = torch.arange(n_k - n_q, n_k)[:, None]
    j = torch.arange(n_k)
    seen = (j <= p) & ((j > p - window) | (j < sinks))
    return torch.softmax((q @ k.T * scale).masked_fill(~seen, -torch.inf), -1) @ v
