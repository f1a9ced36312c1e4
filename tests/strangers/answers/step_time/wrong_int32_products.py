# int32 "is enough for tokens": the product of a chunk of 60,000 and its length overflows.
import numpy as np


def step_time(
    new: np.ndarray,
    length: np.ndarray,
    weights: int,
    per_token: int,
    per_pair: int,
    itemsize: int,
    peak: float,
    bandwidth: float,
) -> float:
    c, n = new.astype(np.int32), length.astype(np.int32)
    seen = c * n - c * (c - 1) // 2
    pairs = float(seen.sum())
    first = max(2.0 * weights * float(c.sum()) / peak, float(weights) * itemsize / bandwidth)
    second = max(per_pair * pairs / peak, float(per_token) * itemsize * float(n.sum()) / bandwidth)
    return first + second
