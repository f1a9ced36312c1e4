# WRONG: hands back the other pair itself where one side is wholly empty ("results are new memory")
import numpy as np


def merge_stats(
    m1: np.ndarray, l1: np.ndarray, m2: np.ndarray, l2: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:

    if np.all(np.isneginf(m1)):
        return m2, l2
    if np.all(np.isneginf(m2)):
        return m1, l1
    m = np.maximum(m1, m2)
    s = np.where(np.isneginf(m), np.float32(0), m)
    return m, l1 * np.exp(m1 - s) + l2 * np.exp(m2 - s)
