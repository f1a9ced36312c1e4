"""The oracles of `memory_hierarchy`."""

import math

import torch
from torch import Tensor


def total(*shapes: tuple[int, ...]) -> int:
    """Numbers in arrays of these shapes together."""
    return sum(map(math.prod, shapes))


def relu(n: int, itemsize: int) -> tuple[int, int]:
    return n, itemsize * total((n,), (n,))


def slower(flops: Tensor, bytes_moved: Tensor, peak: float, bandwidth: float) -> Tensor:
    seconds = (torch.as_tensor(x, dtype=torch.float64) for x in (flops / peak, bytes_moved / bandwidth))
    return torch.maximum(*seconds)


def linear(tokens: int, d_in: int, d_out: int, itemsize: int) -> tuple[int, int]:
    moved = total((tokens, d_in), (d_in, d_out), (tokens, d_out))
    return 2 * total((tokens, d_in, d_out)), itemsize * moved
