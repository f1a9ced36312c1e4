# logits are compared in float16, as they come from a half-precision model: near ones are taken for equal
import numpy as np


class TopK:
    def __init__(self, rows, k, dtype):
        self.value = np.full((rows, k), -np.inf, dtype)
        self.column = np.full((rows, k), -1, np.int64)
        self.m = np.full((rows, 1), -np.inf, dtype)
        self.l = np.zeros((rows, 1), dtype)
        self.seen, self.k = 0, k

    def _denominator(self, chunk):
        m = np.maximum(self.m, chunk.max(1, keepdims=True))
        base = np.where(m == -np.inf, np.float32(0), m)
        self.l = self.l * np.exp(self.m - base) + np.exp(chunk - base).sum(1, keepdims=True)
        self.m = m

    def _candidates(self, chunk):
        columns = np.arange(self.seen, self.seen + chunk.shape[1])
        columns = np.where(chunk == -np.inf, -1, columns[None])
        values = np.hstack((self.value, chunk))
        columns = np.hstack((self.column, columns))
        order = np.argsort(-values.astype(np.float16), axis=1, kind="stable")[:, : self.k]
        self.value = np.take_along_axis(values, order, 1)
        self.column = np.take_along_axis(columns, order, 1)
        self.seen += chunk.shape[1]

    def push(self, chunk):
        self._denominator(chunk)
        self._candidates(chunk)
        return self


def softmax_top_k(chunks, k):
    it = iter(chunks)
    first = next(it)
    state = TopK(len(first), k, first.dtype).push(first)
    for chunk in it:
        state.push(chunk)
    m = np.where(state.m == -np.inf, np.float32(0), state.m)
    l = np.where(state.l == 0, np.float32(1), state.l)
    return np.exp(state.value - m) / l, state.column
