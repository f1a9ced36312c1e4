# the k best are carried in place: k times the largest candidate of chunk and heap is drawn by argmax; m is the first of the list
class _Best:
    def __init__(self, rows, k):
        self.x = np.full((rows, k), -np.inf, np.float32)
        self.column = np.full((rows, k), -1, np.int64)
        self.l = np.zeros(rows, np.float64)
        self.seen = 0

    def take(self, chunk):
        rows, width = chunk.shape
        k = self.x.shape[1]
        before = self.x[:, 0].astype(np.float64)
        x = np.concatenate([self.x, chunk], axis=1)
        names = np.arange(self.seen, self.seen + width)
        column = np.concatenate([self.column, np.broadcast_to(names, chunk.shape)], axis=1)
        row = np.arange(rows)
        for slot in range(k):
            at = x.argmax(axis=1)
            self.x[:, slot] = x[row, at]
            self.column[:, slot] = np.where(x[row, at] == -np.inf, -1, column[row, at])
            x[row, at] = -np.inf
        m = self.x[:, 0].astype(np.float64)
        shift = np.where(m == -np.inf, 0.0, m)
        self.l = self.l * np.exp(before - shift)
        self.l += np.exp(chunk - shift[:, None].astype(np.float32)).sum(axis=1)
        self.seen += width


def softmax_top_k(chunks, k):
    best = None
    for chunk in chunks:
        if best is None:
            best = _Best(len(chunk), k)
        best.take(chunk)
    m = best.x[:, :1]
    weights = np.exp(best.x - np.where(m == -np.inf, np.zeros_like(m), m))
    l = np.where(best.l == 0, 1.0, best.l)[:, None]
    return (weights / l).astype(np.float32), best.column
