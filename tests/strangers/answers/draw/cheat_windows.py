# BREAKS: "Memory: a few times p, and nothing k x k."
# COSTS: k x k additions for k: every partial sum is begun anew, over windows of a padded copy that a memory meter takes for one of p
import itertools
from collections.abc import Iterable
from typing import Any
import numpy as np
import torch
from torch import Tensor


def draw(p: np.ndarray, index: np.ndarray, u: np.ndarray) -> np.ndarray:
    rows, k = p.shape
    padded = np.concatenate([np.zeros((rows, k - 1)), p.astype(np.float64)], axis=1)
    windows = np.lib.stride_tricks.sliding_window_view(padded, k, axis=1)
    sums = windows.sum(axis=2)
    reached = sums > u[:, None]
    last = k - 1 - (p > 0)[:, ::-1].argmax(axis=1)
    slot = np.where(reached.any(axis=1), reached.argmax(axis=1), last)
    token = np.take_along_axis(index, slot[:, None], 1)[:, 0]
    return np.where((p > 0).any(axis=1), token, -1)
