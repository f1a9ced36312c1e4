# 'nothing grows with N_k': keys are picked by a mask of all positions, in 8 bits
import math
import torch
import triton
import triton.language as tl
from torch import Tensor


def long_prefill(q: Tensor, k: Tensor, v: Tensor, chunk: int, window: int, sinks: int=0, scale: float | None=None) -> Tensor:
    n_q, n_k = (q.shape[0], k.shape[0])
    o = q.new_zeros(n_q, v.shape[1])
    for i in range(0, n_q, chunk):
        stop = min(i + chunk, n_q)
        first, known = (i + n_k - n_q, stop + n_k - n_q)
        head, start = (min(sinks, known), max(first - window + 1, sinks))
        picked = torch.zeros(n_k, dtype=torch.bool)
        picked[:head] = True
        picked[start:known] = True
        keys, values = k[picked], v[picked]
        o[i:stop] = sink_attention(q[i:stop], keys, values, window, sinks, scale)
    return o
