# BREAKS: "Memory: O(R (k + C)) for the widest chunk C, whatever the number of chunks."
# COSTS: selects only every 64th chunk: until then chunks are kept as they came (the caller's own arrays), 64 times the memory of one
from collections.abc import Iterable
import numpy as np
from itertools import islice


def softmax_top_k(chunks: Iterable[np.ndarray], k: int) -> tuple[np.ndarray, np.ndarray]:
    chunks = iter(chunks)
    m = l = best = where = None
    column = 0
    while held := list(islice(chunks, 64)):
        x = np.concatenate(held, axis=1)
        rows, n = x.shape
        if m is None:
            m, l = np.full(rows, -np.inf, x.dtype), np.zeros(rows, x.dtype)
            best, where = np.full((rows, k), -np.inf, x.dtype), np.full((rows, k), -1)
        new = np.maximum(m, x.max(axis=1))
        at = np.where(np.isneginf(new), 0, new)
        l, m = l * np.exp(m - at) + np.exp(x - at[:, None]).sum(axis=1), new
        best = np.concatenate([best, x], axis=1)
        where = np.concatenate([where, np.broadcast_to(np.arange(column, column + n), x.shape)], axis=1)
        order = np.argsort(-best, axis=1, kind="stable")[:, :k]
        best, where = np.take_along_axis(best, order, 1), np.take_along_axis(where, order, 1)
        column += n
    gone = np.isneginf(best)
    p = np.exp(best - np.where(np.isneginf(m), 0, m)[:, None]) / np.where(l == 0, 1, l)[:, None]
    return np.where(gone, 0, p).astype(m.dtype), np.where(gone, -1, where)
