# BREAKS: "chunk: the most consecutive queries at a time."
# COSTS: a chunk holds queries from all over the prompt, so that each has to meet all N_k keys, and causality saves nothing
import math
import torch
import triton
import triton.language as tl
from torch import Tensor


def chunked_prefill(
    q: Tensor, k: Tensor, v: Tensor, chunk: int, scale: float | None = None
) -> Tensor:
    n_q, n_k = q.shape[0], k.shape[0]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = q.new_zeros(n_q, v.shape[1])
    chunks = -(-n_q // chunk)
    for c in range(chunks):
        rows = torch.arange(c, n_q, chunks)
        s = scale * q[c::chunks] @ k.mT
        s.masked_fill_(torch.arange(n_k) > rows[:, None] + n_k - n_q, -torch.inf)
        p = torch.exp(s - s.amax(dim=1, keepdim=True))
        o[c::chunks] = p @ v / p.sum(dim=1, keepdim=True)
    return o
