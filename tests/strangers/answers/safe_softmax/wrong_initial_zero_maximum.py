# Takes the maximum over finite entries with initial=0, which makes the shift max(0, m): rows in which every score is below about -90 underflow and come out as zeros or imprecise.
def safe_softmax(x: np.ndarray) -> np.ndarray:
    visible = np.isfinite(x)
    m = np.max(x, axis=-1, keepdims=True, initial=0, where=visible)
    e = np.where(visible, np.exp(x - m), np.float32(0))
    l = e.sum(axis=-1, keepdims=True)
    l[l == 0] = 1  # fully masked rows
    return e / l
