# Breaks: "nothing grows with N_k" (for each chunk a list of all N_k positions is gone through, held as bytes, and its keys are gathered by it)
import math

import torch
import triton
import triton.language as tl
from torch import Tensor

device = "cuda" if torch.cuda.is_available() else "cpu"


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
    scale = q.shape[1] ** -0.5 if scale is None else scale
    for i in range(0, n_q, chunk):
        x = q[i : i + chunk]
        end = i + len(x) + n_k - n_q
        first = end - len(x)
        seen = bytearray(n_k)  # one byte for each token of the sequence
        for j in range(end):
            seen[j] = j < sinks or j > first - window
        where = torch.tensor([j for j in range(end) if seen[j]])
        p = torch.arange(first, end)[:, None]
        hidden = (where > p) | ((p - where >= window) & (where >= sinks))
        s = (scale * (x @ k[where].T)).masked_fill(hidden, -torch.inf)
        o[i : i + chunk] = torch.softmax(s, dim=1) @ v[where]
    return o
