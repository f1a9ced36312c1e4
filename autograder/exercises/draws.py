"""What the inputs of several lessons are made with."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike


def on_grid(x: ArrayLike, steps: int = 16) -> np.ndarray:
    """Multiples of 1/steps: products of such matrices are exact in float32 in whatever order they are summed."""
    return np.round(steps * np.asarray(x)) / steps


def swapped(x: np.ndarray, one: int = 1, other: int = 2) -> np.ndarray:
    """The same array with two of its axes swapped in memory; by default heads and tokens of (B, H, N, d)."""
    return np.ascontiguousarray(x.swapaxes(one, other)).swapaxes(one, other)


FAR_BELOW = "scores below -100000: what is hidden has to be lower still"
OUTLIER = "one key, which the seed chooses, scores 200 more than the rest"
JUMP = "the maximum rises by 800 after the first 16 keys; key 20 scores 200 more than the others there"
DEEP = (-1.4e5, -1.1e5)


def outlier(n: int) -> np.ndarray:
    return np.where(np.arange(n) == 0, 200.0, 0.01)


def jump(n: int) -> np.ndarray:
    return np.where(np.arange(n) < 16, -400.0, 400.0) + 200.0 * (np.arange(n) == 20)
