# one pass: k + 2 copies of the stream are read, one for each of the results
import copy

import numpy as np


def softmax_top_k(chunks, k):
    streams = [copy.copy(chunks) for _ in range(k)]
    m, l = None, None
    for chunk in copy.copy(chunks):
        top = chunk.max(axis=1)
        m = top if m is None else np.maximum(m, top)
    shift = np.where(np.isneginf(m), 0, m)
    l = np.zeros_like(m)
    for chunk in chunks:
        l += np.exp(chunk - shift[:, None]).sum(axis=1)
    rows = len(m)
    p, index = np.zeros((rows, k), np.float32), np.full((rows, k), -1, np.int64)
    last = np.full(rows, np.inf, np.float32)
    for j, stream in enumerate(streams):
        best, at, first = np.full(rows, -np.inf, np.float32), np.full(rows, -1, np.int64), 0
        for chunk in stream:
            rest = np.where(chunk < last[:, None], chunk, -np.inf)
            i = rest.argmax(axis=1)
            value = rest[np.arange(rows), i]
            at = np.where(value > best, first + i, at)
            best = np.maximum(best, value)
            first += chunk.shape[1]
        p[:, j], index[:, j], last = np.exp(best - shift) / np.where(l == 0, 1, l), at, best
    return p, index
