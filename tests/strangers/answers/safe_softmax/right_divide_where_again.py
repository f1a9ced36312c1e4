# Shift replaced by 0 in dead rows, division with np.divide's where= into a zeroed output.
def safe_softmax(x: np.ndarray) -> np.ndarray:
    peak = np.max(x, axis=-1, keepdims=True)
    peak[np.isneginf(peak)] = 0
    work = np.subtract(x, peak)
    np.exp(work, out=work)
    den = np.sum(work, axis=-1, keepdims=True)
    return np.divide(work, den, out=np.zeros_like(work), where=den > 0)
