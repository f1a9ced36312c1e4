# Positions in int32: a window 'from N_k on hides nothing', but window=10**10 does not fit and raises or wraps round.
import math
import torch
import triton
import triton.language as tl
from torch import Tensor


def sink_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, sinks: int, scale: float | None = None
) -> Tensor:

    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    j = torch.arange(n_k, dtype=torch.int32)
    p = torch.arange(n_k - n_q, n_k, dtype=torch.int32)[:, None]
    oldest = p - torch.tensor(window, dtype=torch.int32)
    seen = (j <= p) & ((j > oldest) | (j < sinks))
    s = (q @ k.T * scale).masked_fill(~seen, -torch.inf)
    return s.softmax(-1) @ v
