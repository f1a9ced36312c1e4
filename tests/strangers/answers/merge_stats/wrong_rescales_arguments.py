# scales l1 and l2 inside the arrays of the caller; the result is right, the inputs are not what they were
def merge_stats(
    m1: np.ndarray, l1: np.ndarray, m2: np.ndarray, l2: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    m = np.maximum(m1, m2)
    ref = np.where(np.isneginf(m), 0, m).astype(m.dtype)
    l1 *= np.exp(m1 - ref)
    l2 *= np.exp(m2 - ref)
    l1 += l2
    return m, l1
