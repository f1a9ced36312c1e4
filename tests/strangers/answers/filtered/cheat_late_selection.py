# BREAKS: "Memory: O(R (k + C)) for the widest chunk C, whatever the number of chunks."
# COSTS: chunks are only looked at every 32nd time: 32 chunks wide
import itertools
from collections.abc import Iterable
from typing import Any
import numpy as np
import torch
from torch import Tensor
from itertools import islice


def filtered(
    chunks: Iterable[np.ndarray], temperature: float, k: int, p: float
) -> tuple[np.ndarray, np.ndarray]:
    chunks = iter(chunks)
    best = where = None
    column = 0
    while held := list(islice(chunks, 32)):
        x = np.concatenate(held, axis=1)
        rows, n = x.shape
        if best is None:
            best, where = np.full((rows, k), -np.inf, x.dtype), np.full((rows, k), -1)
        best = np.concatenate([best, x], axis=1)
        where = np.concatenate([where, np.broadcast_to(np.arange(column, column + n), x.shape)], axis=1)
        order = np.argsort(-best, axis=1, kind="stable")[:, :k]
        best, where = np.take_along_axis(best, order, 1), np.take_along_axis(where, order, 1)
        column += n
    live = ~np.isneginf(best)
    if temperature == 0:
        live[:, 1:] = False
    top = np.where(live[:, :1], best[:, :1], 0).astype(np.float64)
    with np.errstate(all="ignore"):
        w = np.where(live, np.exp((best - top) / (temperature or 1)), 0)
        w = w / np.maximum(w.sum(axis=1, keepdims=True), 1e-300)
    if p < 1:
        live &= np.cumsum(w, axis=1) - w < p
    w = np.where(live, w, 0)
    w = w / np.maximum(w.sum(axis=1, keepdims=True), 1e-300)
    return w.astype(best.dtype), np.where(live, where, -1)
