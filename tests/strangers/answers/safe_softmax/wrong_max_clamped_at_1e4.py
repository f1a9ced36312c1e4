# Guards the empty row by clamping the maximum at -1e4; a row whose visible scores all lie below about -1.02e4 underflows as a whole and comes back as zeros.
def safe_softmax(x: np.ndarray) -> np.ndarray:
    m = np.maximum(x.max(axis=-1, keepdims=True), -1e4)  # never -inf
    e = np.exp(x - m)
    l = e.sum(axis=-1, keepdims=True)
    l[l == 0] = 1
    return e / l
