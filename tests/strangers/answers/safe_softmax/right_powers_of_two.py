# shifts first, then takes 2 to the power of x log2(e), with the sum kept away from 0
def safe_softmax(x: np.ndarray) -> np.ndarray:
    m = x.max(axis=-1, keepdims=True)
    m[m == -np.inf] = 0
    e = np.exp2((x - m) * np.asarray(np.log2(np.e), dtype=x.dtype))
    l = e.sum(axis=-1, keepdims=True)
    return e / np.maximum(l, np.finfo(x.dtype).tiny)
