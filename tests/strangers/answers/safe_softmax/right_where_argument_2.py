# numpy's where= and out=: only what is not masked is ever computed on
def safe_softmax(x: np.ndarray) -> np.ndarray:
    alive = x > -np.inf
    some = alive.any(axis=-1, keepdims=True)
    m = np.where(some, np.max(x, axis=-1, keepdims=True), np.zeros((), dtype=x.dtype))
    y = np.zeros(x.shape, dtype=x.dtype)
    np.subtract(x, m, out=y, where=alive)
    np.exp(y, out=y, where=alive)
    l = np.sum(y, axis=-1, keepdims=True)
    np.divide(y, l, out=y, where=np.broadcast_to(some, y.shape))
    return y
