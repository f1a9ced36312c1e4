# style: Python lists and heapq.nlargest per row, as in algorithm 4
import heapq
from collections.abc import Iterable

import numpy as np


def softmax_top_k(chunks: Iterable[np.ndarray], k: int) -> tuple[np.ndarray, np.ndarray]:
    state, start, dtype = [], 0, np.float32
    for chunk in chunks:
        dtype = chunk.dtype
        if not state:
            state = [(-np.inf, 0.0, []) for _ in range(len(chunk))]
        for r, (m, l, best) in enumerate(state):
            row = chunk[r].astype(np.float64)
            m_new = max(m, row.max())
            if m_new > -np.inf:
                l = l * np.exp(m - m_new) + np.exp(row - m_new).sum()
            seen = ((float(s), start + j) for j, s in enumerate(row) if s > -np.inf)
            best = heapq.nlargest(k, [*best, *heapq.nlargest(k, seen)])
            state[r] = m_new, l, best
        start += chunk.shape[1]
    p = np.zeros((len(state), k), dtype)
    index = np.full((len(state), k), -1, np.int64)
    for r, (m, l, best) in enumerate(state):
        for slot, (score, column) in enumerate(best):
            p[r, slot] = np.exp(score - m) / l
            index[r, slot] = column
    return p, index
