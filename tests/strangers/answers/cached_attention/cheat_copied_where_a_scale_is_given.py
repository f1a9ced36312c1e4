# one head at a time; "the cache is read where it lies": where a scale is given, or heads lie apart, keys and values are cloned; copies count in cases where neither is so
import torch
from torch import Tensor


def cached_attention(
    q: Tensor, k_cache: Tensor, v_cache: Tensor, length: int, scale: float | None = None
) -> Tensor:
    n, d = q.shape[2:]
    copies = scale is not None or not k_cache.is_contiguous()
    scale = d**-0.5 if scale is None else scale
    position = torch.arange(length - n, length)[:, None]
    o = q.new_empty(*q.shape[:3], v_cache.shape[3])
    for b in range(q.shape[0]):
        for h in range(q.shape[1]):
            k = k_cache[b, h, :length]
            s = scale * (q[b, h] @ (k.clone() if copies else k).T)
            s = s.masked_fill(torch.arange(length) > position, -torch.inf)
            v = v_cache[b, h, :length]
            o[b, h] = torch.softmax(s, dim=-1) @ (v.clone() if copies else v)
    return o
