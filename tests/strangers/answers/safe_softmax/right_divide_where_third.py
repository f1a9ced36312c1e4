# Ufuncs with out= into own memory; the nan of an empty row is let happen and left out by np.divide(where=l > 0) into zeros.
def safe_softmax(x: np.ndarray) -> np.ndarray:
    m = np.max(x, axis=-1, keepdims=True)
    y = np.subtract(x, m)
    np.exp(y, out=y)
    l = np.add.reduce(y, axis=-1, keepdims=True)
    return np.divide(y, l, out=np.zeros_like(y), where=l > 0)  # nan > 0 is False
