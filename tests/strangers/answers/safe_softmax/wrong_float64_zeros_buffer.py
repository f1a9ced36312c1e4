# divides into np.zeros(x.shape), which is float64, so the result has the wrong dtype
def safe_softmax(x: np.ndarray) -> np.ndarray:
    m = x.max(axis=-1, keepdims=True)
    m = np.where(m > -np.inf, m, 0)
    e = np.exp(x - m)
    l = np.sum(e, axis=-1, keepdims=True)
    y = np.zeros(x.shape)
    np.divide(e, l, out=y, where=(l > 0))
    return y
