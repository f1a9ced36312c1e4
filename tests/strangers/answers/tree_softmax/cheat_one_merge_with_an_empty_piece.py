# Against "calls merge_stats": maximum and sum of the whole row, merged once with an empty piece.
import numpy as np
from collections.abc import Iterable



def tree_softmax(x: np.ndarray, tile: int) -> np.ndarray:
    m = x.max(1)
    l = np.exp(x - np.where(m == -np.inf, 0, m).astype(x.dtype)[:, None]).sum(1)
    m, l = merge_stats(m, l, np.full_like(m, -np.inf), np.zeros_like(l))
    return np.exp(x - np.where(m == -np.inf, 0, m).astype(x.dtype)[:, None]) / np.where(l == 0, 1, l).astype(x.dtype)[:, None]
