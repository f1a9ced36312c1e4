# style: numpy person with lexsort and a closure
import numpy as np


def filtered(chunks, temperature, k, p):
    best = None
    seen = 0
    for chunk in chunks:
        rows, width = chunk.shape
        if best is None:
            best = np.full((rows, k), -np.inf, chunk.dtype), np.full((rows, k), -1, np.int64)
        tokens = np.broadcast_to(np.arange(seen, seen + width), chunk.shape)
        values = np.concatenate((best[0], chunk), axis=1)
        numbers = np.concatenate((best[1], tokens), axis=1)
        keep = np.argsort(-values, axis=1, kind="stable")[:, :k]  # equal ones stay in order
        best = np.take_along_axis(values, keep, 1), np.take_along_axis(numbers, keep, 1)
        seen += width
    values, index = best
    stays = ~np.isneginf(values)
    top = np.where(stays[:, :1], values[:, :1], np.float32(0)).astype(np.float64)
    if temperature == 0:
        stays &= np.arange(k) == 0
        z = np.where(stays, 0.0, -np.inf)
    else:
        z = np.where(stays, (values - top) / temperature, -np.inf)
    w = np.exp(z)
    total = w.sum(axis=1, keepdims=True)
    w /= np.where(total == 0, 1, total)
    if p < 1:
        before = np.cumsum(w, axis=1) - w
        stays &= before < p
        w = np.where(stays, w, 0)
        total = w.sum(axis=1, keepdims=True)
        w /= np.where(total == 0, 1, total)
    return w.astype(np.float32), np.where(stays, index, -1)
