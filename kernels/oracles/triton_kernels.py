"""The oracles of `triton_kernels`."""

import torch
from torch import Tensor


def add(x: Tensor, y: Tensor, **tiles: int) -> Tensor:
    return x + y


def maxima(x: Tensor) -> Tensor:
    return x.amax(dim=-1)


def scores(q: Tensor, k: Tensor, scale: float, **tiles: int) -> Tensor:
    """In float32 for inputs of 16 bits too, since nothing on the way to S may be rounded to 16 bits."""
    wide = torch.promote_types(q.dtype, torch.float32)
    return q.to(wide) @ k.to(wide).T * scale
