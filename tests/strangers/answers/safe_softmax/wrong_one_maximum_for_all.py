# Subtracts the maximum of the whole array instead of each row's: rows that lie more than about 100 below the largest row underflow to all zeros, which the guard then passes off as masked.
def safe_softmax(x: np.ndarray) -> np.ndarray:
    m = x.max()
    if np.isneginf(m):
        return np.zeros_like(x)
    e = np.exp(x - m)
    l = e.sum(axis=-1, keepdims=True)
    return e / np.where(l == 0, np.ones_like(l), l)
