# right: a class with a state per row, its table of candidates sorted in ascending order and kept at the right end
class Running:
    def __init__(self, rows, k, dtype):
        self.k, self.seen = k, 0
        self.m = np.full((rows, 1), -np.inf, dtype=dtype)
        self.l = np.zeros((rows, 1), dtype=dtype)
        self.value = np.full((rows, k), -np.inf, dtype=dtype)
        self.column = np.full((rows, k), -1, dtype=np.int64)

    def finite(self):
        return np.where(self.m == -np.inf, self.m.dtype.type(0), self.m)

    def take(self, chunk):
        old = self.m
        self.m = np.maximum(old, chunk.max(axis=1, keepdims=True))
        shift = self.finite()
        self.l = self.l * np.exp(old - shift)
        self.l = self.l + np.exp(chunk - shift).sum(axis=1, keepdims=True)
        columns = np.arange(self.seen, self.seen + chunk.shape[1], dtype=np.int64)
        columns = np.where(chunk == -np.inf, -1, columns[None, :])
        self.seen += chunk.shape[1]
        value = np.hstack([chunk, self.value])
        column = np.hstack([columns, self.column])
        order = np.argsort(value, axis=1, kind="stable")[:, -self.k :]
        self.value = np.take_along_axis(value, order, axis=1)
        self.column = np.take_along_axis(column, order, axis=1)

    def result(self):
        value, column = self.value[:, ::-1], self.column[:, ::-1]
        l = np.where(self.l == 0, self.l.dtype.type(1), self.l)
        return np.exp(value - self.finite()) / l, column.copy()


def softmax_top_k(chunks, k):
    state = None
    for chunk in chunks:
        if state is None:
            state = Running(chunk.shape[0], k, chunk.dtype)
        state.take(chunk)
    return state.result()
