# Shifts by the middle of the largest and the smallest unmasked score instead of the maximum: fine at any offset, but a row that spans more than about 177 overflows to NaN.
def safe_softmax(x: np.ndarray) -> np.ndarray:
    live = ~np.isneginf(x)
    hi = np.where(live, x, np.float32(-np.inf)).max(-1, keepdims=True)
    lo = np.where(live, x, np.float32(np.inf)).min(-1, keepdims=True)
    centre = np.where(live.any(-1, keepdims=True), 0.5 * hi + 0.5 * lo, np.float32(0))
    e = np.exp(x - centre)
    l = e.sum(-1, keepdims=True)
    l[l == 0] = 1
    return e / l
