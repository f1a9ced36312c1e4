# Right: only one exponential, of minus the distance, chosen by np.where; np.abs, np.nan_to_num
import numpy as np


def merge_stats(
    m1: np.ndarray, l1: np.ndarray, m2: np.ndarray, l2: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Maximum and denominator of two pieces of a row together, from those of each."""
    swap = m2 > m1
    hi_m, lo_m = np.where(swap, m2, m1), np.where(swap, m1, m2)
    hi_l, lo_l = np.where(swap, l2, l1), np.where(swap, l1, l2)
    decay = np.exp(np.nan_to_num(lo_m - hi_m, nan=0.0, neginf=-np.inf, posinf=np.inf))
    return hi_m, hi_l + lo_l * decay
