"""The oracles of `kv_cache`."""

import math

import torch
from torch import Tensor

from kernels import kv_cache, reference


def every_pass(prompt: int, new: int, width: int) -> tuple[int, int]:
    """Token by token, each at the price of its position; read again in every pass, or in the first one only."""
    again = once = 0
    for position in range(1, prompt + new):
        once += 4 * 2 * width * width + 2 * 2 * position * width
        again += once if position >= prompt else 0
    return again, once


def over_the_filled(q: Tensor, k_cache: Tensor, v_cache: Tensor, length: int, scale: float | None = None) -> Tensor:
    return reference.attention(q, k_cache[..., :length, :], v_cache[..., :length, :], True, scale)[0]


class Tokens:
    """What a cache holds, as a list of tokens."""

    def __init__(self, batch: int, heads: int, capacity: int, d: int):
        self.empty = torch.zeros(batch, heads, 0, d)
        self.capacity = capacity
        self.tokens: list[tuple[Tensor, Tensor]] = []

    def append(self, k: Tensor, v: Tensor) -> None:
        if len(self.tokens) + k.shape[2] > self.capacity:
            raise kv_cache.CacheFull
        self.tokens += [(k[:, :, i], v[:, :, i]) for i in range(k.shape[2])]

    def contents(self) -> tuple[Tensor, Tensor]:
        if not self.tokens:
            return self.empty, self.empty
        keys, values = zip(*self.tokens, strict=True)
        return torch.stack(keys, dim=2), torch.stack(values, dim=2)


def in_one_pass(q: Tensor, k: Tensor, v: Tensor, prompt: int) -> Tensor:
    """Attention of all tokens at once: where the prompt ends must not matter."""
    return reference.attention(q, k, v, True)[0]


def look_at_each_query(new: int, length: int, heads: int, kv_heads: int, d: int, itemsize: int) -> tuple[int, int]:
    """Count the keys that each query sees: two products of width d for each, in each head."""
    seen = sum(range(length - new + 1, length + 1))
    numbers = 2 * math.prod((heads, new, d)) + 2 * math.prod((kv_heads, length, d))
    return 2 * 2 * d * heads * seen, itemsize * numbers
