# Right: Python's itertools.accumulate and bisect for each row, np.fromiter with a dtype
import itertools
from bisect import bisect_right

import numpy as np


def _one(p: list[float], tokens: list[int], u: float) -> int:
    possible = [j for j, x in enumerate(p) if x > 0]
    if not possible:
        return -1
    slot = bisect_right(list(itertools.accumulate(p)), u)
    return tokens[min(slot, possible[-1])]


def draw(p: np.ndarray, index: np.ndarray, u: np.ndarray) -> np.ndarray:
    """One token for each row, by its probabilities and a random number."""
    rows = map(_one, p.tolist(), index.tolist(), u.tolist())
    return np.fromiter(rows, dtype=np.int64, count=len(u))
