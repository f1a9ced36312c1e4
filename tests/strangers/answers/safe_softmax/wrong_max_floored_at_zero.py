# guards the masked row by flooring the maximum at 0; rows whose scores are all below -104 give zeros although they are not masked
def safe_softmax(x: np.ndarray) -> np.ndarray:
    m = np.max(x, axis=-1, keepdims=True, initial=0)
    e = np.exp(x - m)
    l = e.sum(axis=-1, keepdims=True)
    return np.divide(e, l, out=np.zeros_like(e), where=l != 0)
