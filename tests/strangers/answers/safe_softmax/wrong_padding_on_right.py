# Takes a row for fully masked when its first entry is -inf (padding is always on the right, thinks the author), so a row that is masked at its first entry only comes out as zeros.
def safe_softmax(x: np.ndarray) -> np.ndarray:
    empty = np.isneginf(x[..., :1])
    m = np.where(empty, np.zeros_like(x[..., :1]), x.max(axis=-1, keepdims=True))
    e = np.exp(x - m)
    l = np.where(empty, np.ones_like(m), e.sum(axis=-1, keepdims=True))
    return np.where(empty, np.zeros_like(e), e / l)
