# A dataclass holds the state; candidates are merged by a stable argsort of the negated scores.
import numpy as np
from collections.abc import Iterable


from dataclasses import dataclass


@dataclass
class State:
    m: np.ndarray
    l: np.ndarray
    score: np.ndarray
    column: np.ndarray

    def absorb(self, chunk, first):
        k = self.score.shape[1]
        m = np.maximum(self.m, chunk.max(1))
        base = np.where(m == -np.inf, 0, m).astype(chunk.dtype)
        self.l = self.l * np.exp(self.m - base) + np.exp(chunk - base[:, None]).sum(1)
        self.m = m
        columns = np.broadcast_to(np.arange(first, first + chunk.shape[1]), chunk.shape)
        columns = np.where(np.isneginf(chunk), -1, columns)
        both, number = np.hstack([self.score, chunk]), np.hstack([self.column, columns])
        best = np.argsort(-both, axis=1, kind="stable")[:, :k]
        self.score = np.take_along_axis(both, best, 1)
        self.column = np.take_along_axis(number, best, 1)


def softmax_top_k(chunks: Iterable[np.ndarray], k: int) -> tuple[np.ndarray, np.ndarray]:
    state, first = None, 0
    for chunk in chunks:
        if state is None:
            rows, kind = len(chunk), chunk.dtype
            low = np.full((rows, k), -np.inf, kind)
            state = State(low[:, 0].copy(), np.zeros(rows, kind), low, np.full((rows, k), -1, np.int64))
        state.absorb(chunk, first)
        first += chunk.shape[1]
    base = np.where(state.m == -np.inf, 0, state.m).astype(state.m.dtype)[:, None]
    p = np.exp(state.score - base) / np.where(state.l == 0, 1, state.l).astype(base.dtype)[:, None]
    return p, state.column.astype(np.int64)
