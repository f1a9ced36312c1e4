# A small class for each row that keeps its k best by lexsort; probabilities in float64 by math on the sorted list.
def filtered(chunks, temperature, k, p):
    class Row:
        def __init__(self):
            self.values = np.empty(0, np.float32)
            self.tokens = np.empty(0, np.int64)

        def take(self, values, first):
            seen = np.flatnonzero(values > -np.inf)
            values = np.concatenate((self.values, values[seen]))
            tokens = np.concatenate((self.tokens, first + seen))
            order = np.lexsort((tokens, -values))[:k]
            self.values, self.tokens = values[order], tokens[order]

        def chances(self):
            x = self.values.astype(np.float64)
            if temperature == 0:
                x = x[:1]
                w = np.ones(len(x))
            else:
                w = np.exp((x - x[0]) / temperature)
            w /= w.sum()
            if p < 1:
                n = 0
                so_far = 0.0
                while n < len(w) and so_far < p:
                    so_far += w[n]
                    n += 1
                w = w[:n] / w[:n].sum()
            return w

    rows, at = None, 0
    for X in chunks:
        if rows is None:
            rows = [Row() for _ in range(len(X))]
        for row, values in zip(rows, X):
            row.take(values, at)
        at += X.shape[1]
    share = np.zeros((len(rows), k), np.float32)
    index = np.full((len(rows), k), -1, np.int64)
    for r, row in enumerate(rows):
        if len(row.values):
            w = row.chances()
            share[r, : len(w)] = w
            index[r, : len(w)] = row.tokens[: len(w)]
    return share, index
