# One exponential only, of minus the distance of the maxima; the piece with the smaller maximum is scaled.
import numpy as np


def merge_stats(
    m1: np.ndarray, l1: np.ndarray, m2: np.ndarray, l2: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    first = m1 >= m2
    high, low = np.where(first, m1, m2), np.where(first, m2, m1)
    l_high, l_low = np.where(first, l1, l2), np.where(first, l2, l1)
    factor = np.exp(np.where(np.isneginf(low), low, low - high))
    return high, l_high + factor * l_low
