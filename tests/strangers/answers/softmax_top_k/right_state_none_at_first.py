# Honest: argpartition, a dataclass for the state, a closure.
from dataclasses import dataclass
from collections.abc import Iterable

import numpy as np

_ = np.seterr(all="ignore")



@dataclass
class State:
    top: np.ndarray
    mass: np.ndarray
    best: np.ndarray
    where: np.ndarray


def softmax_top_k(chunks, k):
    state: State | None = None
    seen = 0
    for block in chunks:
        rows, width = block.shape
        if state is None:
            state = State(
                np.full(rows, -np.inf, block.dtype),
                np.zeros(rows, block.dtype),
                np.full((rows, k), -np.inf, block.dtype),
                np.full((rows, k), -1, np.int64),
            )
        top = np.fmax(state.top, block.max(1))
        anchor = np.where(np.isneginf(top), block.dtype.type(0), top)
        state.mass = state.mass * np.exp(state.top - anchor) + np.exp(block - anchor[:, None]).sum(1)
        state.top = top
        pool = np.hstack([state.best, block])
        numbers = np.hstack([state.where, np.tile(np.arange(seen, seen + width), (rows, 1))])
        pick = np.argpartition(pool, width, axis=1)[:, width:]
        state.best = np.take_along_axis(pool, pick, axis=1)
        state.where = np.take_along_axis(numbers, pick, axis=1)
        seen += width
    order = np.argsort(state.best, axis=1)[:, ::-1]
    best, where = (np.take_along_axis(a, order, axis=1) for a in (state.best, state.where))
    anchor = np.where(np.isneginf(state.top), best.dtype.type(0), state.top)
    p = np.exp(best - anchor[:, None]) / np.fmax(state.mass, np.finfo(best.dtype).tiny)[:, None]
    where[np.isneginf(best)] = -1
    return p, where
