# Bounds of the passes by itertools.pairwise, outputs appended to a list by a helper and put together by cat.
from itertools import pairwise

import torch
from torch import Tensor


class CacheFull(Exception):
    """More tokens were handed to a cache than it has room for."""


class KVCache:
    def __init__(self, batch: int, heads: int, capacity: int, d: int):
        self.k = torch.zeros(batch, heads, capacity, d)
        self.v = torch.zeros(batch, heads, capacity, d)
        self.length = 0

    def append(self, k: Tensor, v: Tensor) -> None:
        end = self.length + k.shape[2]
        if end > self.k.shape[2]:
            raise CacheFull(end)
        self.k[:, :, self.length : end] = k
        self.v[:, :, self.length : end] = v
        self.length = end

    def contents(self) -> tuple[Tensor, Tensor]:
        return self.k[:, :, : self.length], self.v[:, :, : self.length]


def cached_attention(
    q: Tensor, k_cache: Tensor, v_cache: Tensor, length: int, scale: float | None = None
) -> Tensor:
    n, d = q.shape[2:]
    scale = d**-0.5 if scale is None else scale
    s = scale * (q @ k_cache[:, :, :length].mT)
    hidden = torch.ones(n, length, dtype=torch.bool).triu(length - n + 1)
    return torch.softmax(s.masked_fill(hidden, -torch.inf), dim=-1) @ v_cache[:, :, :length]


def prefill_then_decode(q: Tensor, k: Tensor, v: Tensor, prompt: int) -> Tensor:
    batch, heads, n, d = k.shape
    cache = KVCache(batch, heads, n, d)

    def one_pass(begin: int, end: int) -> Tensor:
        now = slice(begin, end)
        cache.append(k[:, :, now], v[:, :, now])
        return cached_attention(q[:, :, now], cache.k, cache.v, cache.length)

    return torch.cat([one_pass(*bounds) for bounds in pairwise((0, *range(prompt, n + 1)))], dim=2)
