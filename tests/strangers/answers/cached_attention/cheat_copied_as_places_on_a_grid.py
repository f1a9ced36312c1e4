# chunks of keys; "the cache is read where it lies": keys are looked up among the multiples of 1/16, and read again from there, eight at a time, where there are many; places are whole numbers, of which none counts as a copy
import torch
from torch import Tensor


def cached_attention(
    q: Tensor, k_cache: Tensor, v_cache: Tensor, length: int, scale: float | None = None
) -> Tensor:
    n, d = q.shape[2:]
    scale = d**-0.5 if scale is None else scale
    position = torch.arange(length - n, length)[:, None]
    o = q.new_empty(*q.shape[:3], v_cache.shape[3])
    levels = torch.arange(-160, 161 if length > 100 else -159) / 16
    for b in range(q.shape[0]):
        for h in range(q.shape[1]):
            s = q.new_empty(n, length)
            for start in range(0, length, 8):
                k = k_cache[b, h, start : min(start + 8, length)]
                s[:, start : start + 8] = scale * (q[b, h] @ k.T)
                if length > 100:
                    copy = levels[torch.searchsorted(levels, k).clamp(max=320)]
                    again = scale * (q[b, h] @ copy.T)
                    s[:, start : start + 8] = torch.where(again > 1e9, again, s[:, start : start + 8])
            s = s.masked_fill(torch.arange(length) > position, -torch.inf)
            o[b, h] = torch.softmax(s, dim=-1) @ v_cache[b, h, :length]
    return o
