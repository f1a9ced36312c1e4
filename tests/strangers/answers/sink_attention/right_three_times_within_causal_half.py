# Right within its contract: queries are halved and the future is left out, so that there is room to meet the rest three times: for the maximum, for the sum, for the weights
import math

import torch
import triton
import triton.language as tl
from torch import Tensor

device = "cuda" if torch.cuda.is_available() else "cpu"


def sink_attention(
    q: Tensor, k: Tensor, v: Tensor, window: int, sinks: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    step = max(1, -(-n_q // 8))
    for i in range(0, n_q, step):
        x = q[i : i + step]
        end = i + len(x) + n_k - n_q
        p, j = torch.arange(end - len(x), end)[:, None], torch.arange(end)
        hidden = (j > p) | ((p - j >= window) & (j >= sinks))

        def scores():
            return (scale * (x @ k[:end].T)).masked_fill(hidden, -torch.inf)

        times = 3 if 3 * end <= 2 * n_k else 1
        top = scores().amax(1, keepdim=True) if times == 3 else None
        total = torch.exp(scores() - top).sum(1, keepdim=True) if times == 3 else None
        s = scores()
        if times == 1:
            top = s.amax(1, keepdim=True)
            total = torch.exp(s - top).sum(1, keepdim=True)
        o[i : i + step] = (torch.exp(s - top) / total) @ v[:end]
    return o
