# style: compiler engineer, one exponential: the larger keeps its l, the smaller is scaled
import numpy as np


def merge_stats(
    m1: np.ndarray, l1: np.ndarray, m2: np.ndarray, l2: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:

    first = m1 >= m2
    big, small = np.where(first, m1, m2), np.where(first, m2, m1)
    l_big, l_small = np.where(first, l1, l2), np.where(first, l2, l1)
    gap = np.where(np.isneginf(small), np.full_like(small, -np.inf), small - np.where(np.isneginf(big), np.zeros_like(big), big))
    return big, l_big + l_small * np.exp(gap)
