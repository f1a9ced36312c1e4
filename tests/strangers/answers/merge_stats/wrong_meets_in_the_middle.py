# measures both sums from the mean of the maxima before going to the larger one; overflows when the maxima lie more than about 177 apart
def merge_stats(
    m1: np.ndarray, l1: np.ndarray, m2: np.ndarray, l2: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    m = np.maximum(m1, m2)
    low = np.where(np.isneginf(m1), m2, m1)
    other = np.where(np.isneginf(m2), m1, m2)
    half = np.where(np.isneginf(m), 0, (low + other) / 2).astype(m.dtype)
    total = l1 * np.exp(m1 - half) + l2 * np.exp(m2 - half)
    back = np.where(np.isneginf(m), 0, half - m)
    return m, (total * np.exp(back)).astype(m.dtype)
