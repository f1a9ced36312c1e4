# Breaks: "Each score is computed once" (under the causal mask keys that no query of a half sees are left out, and what that saves pays for computing a quarter of the scores twice: for the maximum and for the weights)
import math

import torch
import triton
import triton.language as tl
from torch import Tensor

device = "cuda" if torch.cuda.is_available() else "cpu"


def grouped_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    heads, kv_heads, n_q, n_k = q.shape[1], k.shape[1], q.shape[2], k.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    g = heads // kv_heads
    o = q.new_zeros(*q.shape[:3], v.shape[3])
    if not n_q or not n_k:
        return o
    half = (n_q + 1) // 2 if causal else n_q
    for first in range(0, n_q, half):
        last = min(first + half, n_q)
        seen = max(0, last + n_k - n_q) if causal else n_k
        if not seen:
            continue
        for h in range(heads):
            x, kk, vv = q[:, h, first:last], k[:, h // g, :seen], v[:, h // g, :seen]
            keep = slice(0, 0) if first or not causal else slice(0, seen)
            if keep.stop:
                hidden = torch.arange(seen) > torch.arange(first, last)[:, None] + n_k - n_q
                top = (scale * (x @ kk.mT)).masked_fill(hidden, -torch.inf).amax(-1, keepdim=True)
            s = scale * (x @ kk.mT)
            if causal:
                hidden = torch.arange(seen) > torch.arange(first, last)[:, None] + n_k - n_q
                s.masked_fill_(hidden, -torch.inf)
            if not keep.stop:
                top = s.amax(-1, keepdim=True)
            p = torch.exp(s - top.clamp(min=-1e30))
            total = p.sum(-1, keepdim=True)
            o[:, h, first:last] = (p @ vv) / total.masked_fill(total == 0, 1.0)
    return o
