# style: right; the ufuncs' where= argument decides which entries are computed at all
def safe_softmax(x: np.ndarray) -> np.ndarray:
    seen = x > -np.inf
    some = seen.any(axis=-1, keepdims=True)
    shift = np.zeros(some.shape, dtype=x.dtype)
    np.copyto(shift, np.maximum.reduce(x, axis=-1, keepdims=True), where=some)
    y = np.zeros(x.shape, dtype=x.dtype)
    np.subtract(x, shift, out=y, where=seen)
    np.exp(y, out=y, where=seen)
    total = np.add.reduce(y, axis=-1, keepdims=True)
    np.divide(y, total, out=y, where=some)
    return y
