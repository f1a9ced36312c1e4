# replaces an infinite maximum by 0 and divides only where the sum is positive
def safe_softmax(x: np.ndarray) -> np.ndarray:
    m = np.max(x, axis=-1, keepdims=True)
    shift = np.where(np.isneginf(m), 0, m).astype(x.dtype)
    e = np.exp(x - shift)
    l = e.sum(axis=-1, keepdims=True)
    return np.divide(e, l, out=np.zeros_like(e), where=l > 0)
