# Right within its contract: goes through log-sum-exps after all (shifted, so that the rounding does not show) and numpy's logaddexp, which is one call instead of the formula.
# Breaks: "m = max(m1, m2)    l = l1 exp(m1 - m) + l2 exp(m2 - m)" and "so that L = m + log l would round them too coarsely"
import numpy as np


def merge_stats(
    m1: np.ndarray, l1: np.ndarray, m2: np.ndarray, l2: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    m = np.maximum(m1, m2)
    shift = np.where(m == -np.inf, 0, m).astype(np.float64)
    L1 = np.log(l1.astype(np.float64)) + (m1 - shift)
    L2 = np.log(l2.astype(np.float64)) + (m2 - shift)
    l = np.exp(np.logaddexp(L1, L2))
    return m, l.astype(l1.dtype)
