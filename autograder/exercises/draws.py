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
