# BREAKS: "Products: those of all queries with all keys, hidden ones too, twice at the most"
# COSTS: complex twins: four times, twice over
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
    twice = [torch.complex(q, q) @ torch.complex(k, -k).mT for _ in range(2)]
    s = scale / 4 * (twice[0].real + twice[1].real)
    at = torch.arange(n_k - n_q, n_k)[:, None]
    j = torch.arange(n_k)
    seen = (j <= at) & ((j >= at + 1 - min(window, n_k)) | (j < min(sinks, n_k)))
    s = s.masked_fill(~seen, -torch.inf)
    p = torch.exp(s - s.amax(dim=1, keepdim=True))
    return p @ v / p.sum(dim=1, keepdim=True)
