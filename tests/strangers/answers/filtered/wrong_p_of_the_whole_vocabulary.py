# p is counted in the probabilities of the whole vocabulary, with a running denominator, and not of the k that stay; wrong in k-then-p
import numpy as np


def filtered(chunks, temperature, k, p):
    first, m, l, top, index = 0, None, None, None, None
    t = temperature or 1.0
    for chunk in chunks:
        rows, width = chunk.shape
        if top is None:
            top, index = np.full((rows, k), -np.inf, np.float32), np.full((rows, k), -1)
            m, l = np.full(rows, -np.inf, np.float32), np.zeros(rows, np.float32)
        new = np.maximum(m, chunk.max(1))
        shift = np.where(np.isneginf(new), 0, new)
        l = l * np.exp((m - shift) / t) + np.exp((chunk - shift[:, None]) / t).sum(1)
        m = new
        values = np.concatenate([top, chunk], 1)
        names = np.concatenate([index, np.broadcast_to(np.arange(first, first + width), chunk.shape)], 1)
        order = np.argsort(-values, 1, kind="stable")[:, :k]
        top, index = np.take_along_axis(values, order, 1), np.take_along_axis(names, order, 1)
        first += width
    if temperature == 0:
        top[:, 1:], l = -np.inf, np.ones_like(l)
    shift = np.where(np.isneginf(m), 0, m)[:, None]
    s = np.exp((top - shift) / t) / np.where(l == 0, 1, l)[:, None]
    keep = ~np.isneginf(top) & ((np.cumsum(s, 1) - s < p) | (p >= 1))
    s = np.where(keep, s, 0)
    total = s.sum(1, keepdims=True)
    return s / np.where(total == 0, 1, total), np.where(keep, index, -1)
