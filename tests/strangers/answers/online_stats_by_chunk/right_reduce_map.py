# Right: functional: map each chunk to its own (m, l), functools.reduce merges them pairwise
from collections.abc import Iterable
from functools import reduce

import numpy as np

Pair = tuple[np.ndarray, np.ndarray]


def of_chunk(X: np.ndarray) -> Pair:
    m = X.max(axis=1)
    return m, np.exp(X - np.where(m > -np.inf, m, 0)[:, None].astype(X.dtype)).sum(axis=1)


def merged(a: Pair, b: Pair) -> Pair:
    (m1, l1), (m2, l2) = a, b
    m = np.maximum(m1, m2)
    base = np.where(m > -np.inf, m, 0).astype(m.dtype)
    return m, l1 * np.exp(m1 - base) + l2 * np.exp(m2 - base)


def online_stats_by_chunk(chunks: Iterable[np.ndarray]) -> Pair:
    """Maximum and denominator of the softmax of every row, in one pass over chunks of columns."""
    return reduce(merged, map(of_chunk, chunks))
