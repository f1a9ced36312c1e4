# Right: sorts the pair by where, exp of -|difference|, nan_to_num of inf - inf, a local helper with keyword-only args
import numpy as np


def merge_stats(
    m1: np.ndarray, l1: np.ndarray, m2: np.ndarray, l2: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    def weight(m, *, to):
        with np.errstate(invalid="ignore"):
            d = np.where(m == -np.inf, -np.inf, m - to)
        return np.exp(d)

    m = np.maximum(m1, m2)
    l = l1 * weight(m1, to=m) + l2 * weight(m2, to=m)
    return m, l.astype(np.asarray(l1).dtype)
