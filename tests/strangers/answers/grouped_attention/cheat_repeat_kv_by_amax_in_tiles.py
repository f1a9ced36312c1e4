# Breaks: "Attention of H query heads with H_kv heads of keys and values, which are not copied." (repeat_kv, tile by tile, written as a maximum over an expanded axis)
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

    def repeated(x):
        b, h, n, d = x.shape
        return x[:, :, None, None].expand(b, h, g, 2, n, d).amax(dim=3).flatten(1, 2)

    tile = max(1, n_k // 16)
    s = torch.cat([q @ repeated(k[:, :, j : j + tile]).mT for j in range(0, n_k, tile)], dim=3) if n_k else q.new_zeros(*q.shape[:3], 0)
    s *= scale
    if causal:
        s.masked_fill_(torch.arange(n_k) > torch.arange(n_q)[:, None] + n_k - n_q, -torch.inf)
    if n_k == 0:
        return q.new_zeros(*q.shape[:3], v.shape[3])
    p = torch.exp(s - s.amax(dim=-1, keepdim=True).clamp(min=-1e30))
    del s
    total = p.sum(dim=-1, keepdim=True)
    p /= total.masked_fill(total == 0, 1.0)
    o = q.new_zeros(*q.shape[:3], v.shape[3])
    for j in range(0, n_k, tile):
        o += p[..., j : j + tile] @ repeated(v[:, :, j : j + tile])
    return o
