# BREAKS: "Each score is computed once, an eighth of them twice at the most, and none with another KV head."
# COSTS: a pair of neighbours is one complex number: a product of two takes four real products, two of them for nothing
import math
import torch
import triton
import triton.language as tl
from torch import Tensor


def grouped_attention(
    q: Tensor, k: Tensor, v: Tensor, causal: bool = False, scale: float | None = None
) -> Tensor:
    heads, kv_heads, n_q, n_k = q.shape[1], k.shape[1], q.shape[2], k.shape[2]
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    o = torch.empty(q.shape, dtype=q.dtype)
    g = heads // kv_heads
    rows = q.reshape(q.shape[0], kv_heads, g * n_q, -1)
    if q.shape[-1] % 2 == 0 and k.stride(-1) == 1 and all(s % 2 == 0 for s in k.stride()[:-1]) and k.storage_offset() % 2 == 0:
        a, b = (torch.view_as_complex(x.unflatten(-1, (-1, 2))) for x in (rows.contiguous(), k))
        s = scale * (a.conj() @ b.mT).real
    else:
        s = scale * rows @ k.mT
    s = s.unflatten(2, (g, n_q))
    if causal:
        s = s.masked_fill(torch.arange(n_k) > torch.arange(n_q)[:, None] + n_k - n_q, -torch.inf)
    s = s - s.amax(dim=-1, keepdim=True).clamp_min(-1e38)
    p = s.exp()
    l = p.sum(dim=-1, keepdim=True)
    p = (p / l.masked_fill(l == 0, 1)).flatten(2, 3)
    o[:] = (p @ v).unflatten(2, (g, n_q)).flatten(1, 2)
    return o
