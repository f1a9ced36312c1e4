# Right: a class that keeps the best of each row, merged by a stable argsort and take_along_axis.
import numpy as np


class Leaderboard:
    def __init__(self, rows: int, k: int, dtype):
        self.k = k
        self.logits = np.full((rows, k), -np.inf, dtype)
        self.columns = np.full((rows, k), -1, np.int64)

    def update(self, chunk, first_column):
        ids = np.broadcast_to(np.arange(first_column, first_column + chunk.shape[1]), chunk.shape)
        logits = np.concatenate((self.logits, chunk), axis=1)
        columns = np.concatenate((self.columns, np.where(chunk == -np.inf, -1, ids)), axis=1)
        order = np.argsort(-logits, axis=1, kind="stable")[:, : self.k]
        self.logits = np.take_along_axis(logits, order, axis=1)
        self.columns = np.take_along_axis(columns, order, axis=1)


def softmax_top_k(chunks, k):
    board = m = l = None
    seen = 0
    for chunk in chunks:
        if board is None:
            board = Leaderboard(len(chunk), k, chunk.dtype)
            m = np.full((len(chunk), 1), -np.inf, chunk.dtype)
            l = np.zeros((len(chunk), 1), chunk.dtype)
        board.update(chunk, seen)
        seen += chunk.shape[1]
        m_new = np.maximum(m, chunk.max(axis=1, keepdims=True))
        base = np.where(m_new == -np.inf, 0, m_new).astype(chunk.dtype)
        l = l * np.exp(m - base) + np.exp(chunk - base).sum(axis=1, keepdims=True)
        m = m_new
    base = np.where(m == -np.inf, 0, m).astype(m.dtype)
    p = np.exp(board.logits - base) / np.where(l == 0, 1, l).astype(l.dtype)
    return p, board.columns
