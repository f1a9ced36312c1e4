# Right: a structured dtype (value, column) that is sorted with order=, np.concatenate of records
from collections.abc import Iterable

import numpy as np

ENTRY = np.dtype([("score", np.float32), ("column", np.int64)])


def softmax_top_k(chunks: Iterable[np.ndarray], k: int) -> tuple[np.ndarray, np.ndarray]:
    """The k largest probabilities of every row and their columns, in one pass over chunks."""
    best = m = l = None
    offset = 0
    for X in chunks:
        R, C = X.shape
        if best is None:
            best = np.empty((R, k), ENTRY)
            best["score"], best["column"] = -np.inf, -1
            m, l = np.full((R, 1), -np.inf, X.dtype), np.zeros((R, 1), X.dtype)
        m_new = np.maximum(m, X.max(axis=1, keepdims=True))
        pivot = np.where(m_new == -np.inf, X.dtype.type(0), m_new)
        l = l * np.exp(m - pivot) + np.exp(X - pivot).sum(axis=1, keepdims=True)
        m = m_new
        fresh = np.empty((R, C), ENTRY)
        fresh["score"] = X
        fresh["column"] = np.where(X == -np.inf, -1, np.arange(offset, offset + C))
        best = np.sort(np.concatenate([best, fresh], axis=1), axis=1, order="score")[:, : -k - 1 : -1]
        offset += C
    score, column = best["score"], best["column"]
    p = np.exp(score - np.where(m == -np.inf, np.float32(0), m)) / np.where(l == 0, np.float32(1), l)
    return np.ascontiguousarray(p), np.ascontiguousarray(column)
