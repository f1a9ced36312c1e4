# right values, but all chunks are put together first: the memory grows with the vocabulary
import numpy as np


def filtered(chunks, temperature, k, p):
    x = np.concatenate(list(chunks), axis=1)
    if x.shape[1] < k:
        x = np.pad(x, ((0, 0), (0, k - x.shape[1])), constant_values=-np.inf)
    index = np.argsort(-x, axis=1, kind="stable")[:, :k]
    top = np.take_along_axis(x, index, axis=1)
    if temperature == 0:
        top[:, 1:], temperature = -np.inf, 1
    best = np.where(np.isneginf(top[:, :1]), 0, top[:, :1])
    w = np.exp((top - best) / temperature)
    s = w / np.maximum(w.sum(1, keepdims=True), 1)
    keep = ~np.isneginf(top) & ((np.cumsum(s, 1) - s < p) | (p >= 1))
    w = np.where(keep, w, 0)
    return w / np.maximum(w.sum(1, keepdims=True), 1), np.where(keep, index, -1)
