# masked entries compete like others: with fewer than k live entries the leftover slots carry the columns of -inf entries instead of -1
def softmax_top_k(chunks: Iterable[np.ndarray], k: int) -> tuple[np.ndarray, np.ndarray]:
    values = numbers = m = l = None
    offset = 0
    for X in chunks:
        R, C = X.shape
        columns = np.tile(np.arange(offset, offset + C), (R, 1))
        offset += C
        if values is None:
            values, numbers = X[:, :0], columns[:, :0]
            m, l = np.full((R, 1), -np.inf, X.dtype), np.zeros((R, 1), X.dtype)
        new = np.maximum(m, X.max(axis=1, keepdims=True))
        ref = np.where(np.isneginf(new), 0, new).astype(X.dtype)
        l = l * np.exp(m - ref) + np.exp(X - ref).sum(axis=1, keepdims=True)
        m = new
        values, numbers = np.hstack([values, X]), np.hstack([numbers, columns])
        order = np.argsort(-values, axis=1, kind="stable")[:, :k]
        values = np.take_along_axis(values, order, 1)
        numbers = np.take_along_axis(numbers, order, 1)
    missing = k - values.shape[1]
    if missing > 0:
        values = np.pad(values, ((0, 0), (0, missing)), constant_values=-np.inf)
        numbers = np.pad(numbers, ((0, 0), (0, missing)), constant_values=-1)
    ref = np.where(np.isneginf(m), 0, m).astype(values.dtype)
    return np.exp(values - ref) / np.where(l > 0, l, 1).astype(values.dtype), numbers
