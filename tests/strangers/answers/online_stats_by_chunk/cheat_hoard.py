# Cheat: hoards chunks until four times the widest of them are held and then goes over the hoard twice, so that short rows are never online: whole row, plain safe softmax statistics.
# Breaks: "Maximum and denominator of the softmax of every row, in one pass over chunks of columns."
from collections.abc import Iterable

import numpy as np


def online_stats_by_chunk(chunks: Iterable[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    hoard, width, widest = [], 0, 0
    m = l = None

    def settle():
        rows = len(hoard[0])
        top = np.full(rows, -np.inf, hoard[0].dtype) if m is None else m.copy()
        for part in hoard:
            top = np.maximum(top, part.max(axis=1))
        shift = np.where(top == -np.inf, 0, top).astype(top.dtype)
        total = np.zeros_like(top) if l is None else l * np.exp(m - shift)
        for part in hoard:
            total = total + np.exp(part - shift[:, None]).sum(axis=1)
        return top, total

    for chunk in chunks:
        hoard.append(chunk)
        width += chunk.shape[1]
        widest = max(widest, chunk.shape[1])
        if width >= 4 * widest and len(hoard) > 3:
            m, l = settle()
            hoard, width = [], 0
    if hoard:
        m, l = settle()
    return m, l
