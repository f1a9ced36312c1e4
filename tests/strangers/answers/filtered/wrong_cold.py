# WRONG: temperature 0 is taken for 1e-6: of two equally large logits both stay
from collections.abc import Iterable

import numpy as np


def filtered(
    chunks: Iterable[np.ndarray], temperature: float, k: int, p: float
) -> tuple[np.ndarray, np.ndarray]:
    best = index = None
    column = 0
    for chunk in chunks:
        rows, width = chunk.shape
        if best is None:
            best = np.full((rows, k), -np.inf, np.float32)
            index = np.full((rows, k), -1, np.int64)
        numbers = np.where(np.isneginf(chunk), -1, np.arange(column, column + width))
        every = np.concatenate([best, chunk], axis=1)
        place = np.concatenate([index, numbers], axis=1)
        order = np.argsort(-every, axis=1, kind="stable")[:, :k]
        best, index = np.take_along_axis(every, order, 1), np.take_along_axis(place, order, 1)
        column += width
    stays = index >= 0
    z = best.astype(np.float64)
    z = z - np.where(stays[:, :1], z[:, :1], 0)
    e = np.where(stays, np.exp(z / max(temperature, 1e-6)), 0.0)
    if temperature == 0:
        stays &= e > 0
    total = e.sum(axis=1, keepdims=True)
    share = e / np.where(total == 0, 1, total)
    if p < 1:
        before = np.cumsum(share, axis=1)[:, :-1]
        stays[:, 1:] &= before < p
    e = np.where(stays, e, 0.0)
    total = e.sum(axis=1, keepdims=True)
    return (e / np.where(total == 0, 1, total)).astype(np.float32), np.where(stays, index, -1)
