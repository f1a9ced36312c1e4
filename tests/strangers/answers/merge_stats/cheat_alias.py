# BREAKS: "Arguments stay as they are, and results are new memory."
# COSTS: an empty second piece hands back the very arrays it was given: whoever writes to the result writes to the argument
from collections.abc import Iterable
import numpy as np


def merge_stats(
    m1: np.ndarray, l1: np.ndarray, m2: np.ndarray, l2: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    if not np.any(l2):
        return np.asarray(m1), np.asarray(l1)
    m = np.maximum(m1, m2)
    at = np.where(np.isneginf(m), 0, m)
    return m, l1 * np.exp(m1 - at) + l2 * np.exp(m2 - at)
