# Divides by no temperature below 1e-6, for fear of 0: logits that are as near to each other come out alike.
from collections.abc import Iterable

import numpy as np


def filtered(
    chunks: Iterable[np.ndarray], temperature: float, k: int, p: float
) -> tuple[np.ndarray, np.ndarray]:
    first = 0
    for chunk in chunks:
        rows, width = chunk.shape
        if first == 0:
            top = np.full((rows, k), -np.inf, chunk.dtype)
            index = np.zeros((rows, k), np.int64)

        columns = np.broadcast_to(np.arange(first, first + width), chunk.shape)
        values = np.concatenate([top, chunk], axis=1)
        places = np.concatenate([index, columns], axis=1)
        order = np.argsort(-values, axis=1, kind="stable")[:, :k]
        top = np.take_along_axis(values, order, axis=1)
        index = np.take_along_axis(places, order, axis=1)
        first += width

    if temperature == 0:
        top[:, 1:], temperature = -np.inf, 1
    best = np.where(np.isneginf(top[:, :1]), 0, top[:, :1])
    weight = np.exp((top - best) / max(temperature, 1e-6))  # the maximum first: x / temperature overflows
    share = weight / np.maximum(weight.sum(axis=1, keepdims=True), 1)
    stays = (np.cumsum(share, axis=1) - share < p) | (p >= 1)
    weight = np.where(stays, weight, 0)
    share = weight / np.maximum(weight.sum(axis=1, keepdims=True), 1)
    return share, np.where(stays & ~np.isneginf(top), index, -1)
