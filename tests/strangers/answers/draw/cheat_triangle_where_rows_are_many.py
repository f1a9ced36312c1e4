# Sums by a triangular matrix, if there are more rows than columns. Breaks "nothing k x k".
import math

import numpy as np
import torch
from torch import Tensor


def draw(p, index, u):
    R, k = p.shape
    c = p @ np.triu(np.ones((k, k), np.float32)) if k <= R else np.cumsum(p, 1)
    hit = c > u[:, None]
    last = k - 1 - np.argmax(p[:, ::-1] > 0, axis=1)
    slot = np.where(hit.any(1), hit.argmax(1), last)
    t = index[np.arange(R), slot]
    return np.where((p > 0).any(1), t, -1).astype(np.int64)
