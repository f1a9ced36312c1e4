# Cheat: keeps per chunk only its k best and its (m, l), one triple for each of up to 64 latest chunks, and merges them in bulk; what is kept does grow with the number of chunks until the cap.
# Breaks: "Memory: O(R (k + C)) for the widest chunk C, whatever the number of chunks."
from collections.abc import Iterable

import numpy as np


def softmax_top_k(chunks: Iterable[np.ndarray], k: int) -> tuple[np.ndarray, np.ndarray]:
    kept, names, ms, ls = [], [], [], []
    column = 0

    def squeeze():
        x, i = np.concatenate(kept, axis=1), np.concatenate(names, axis=1)
        best = np.argsort(-x, axis=1, kind="stable")[:, :k]
        m = np.max(ms, axis=0)
        shift = np.where(m == -np.inf, 0, m)
        l = sum(b * np.exp(a - shift) for a, b in zip(ms, ls))
        return [np.take_along_axis(x, best, 1)], [np.take_along_axis(i, best, 1)], [m], [l]

    for chunk in chunks:
        width = chunk.shape[1]
        m = chunk.max(axis=1)
        ls.append(np.exp(chunk - np.where(m == -np.inf, 0, m)[:, None]).sum(axis=1))
        ms.append(m)
        best = np.argsort(-chunk, axis=1, kind="stable")[:, : min(k, width)]
        kept.append(np.take_along_axis(chunk, best, 1))
        names.append(best + column)
        column += width
        if len(kept) >= 64:
            kept, names, ms, ls = squeeze()
    kept, names, ms, ls = squeeze()
    x, i, m, l = kept[0], names[0], ms[0], ls[0]
    rows, have = x.shape
    p = np.zeros((rows, k), x.dtype)
    index = np.full((rows, k), -1, np.int64)
    seen = x != -np.inf
    shift = np.where(m == -np.inf, 0, m)[:, None]
    p[:, :have] = np.where(seen, np.exp(x - shift) / np.where(l == 0, 1, l)[:, None], 0)
    index[:, :have] = np.where(seen, i, -1)
    return p, index
