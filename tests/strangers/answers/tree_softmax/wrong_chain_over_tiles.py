# merges the tiles one after another in a loop: O(T) steps and not O(log T)
def tree_softmax(x: np.ndarray, tile: int) -> np.ndarray:
    R, N = x.shape
    m = np.full(R, -np.inf, dtype=x.dtype)
    l = np.zeros(R, dtype=x.dtype)
    for start in range(0, N, tile):
        part = x[:, start : start + tile]
        top = part.max(axis=1)
        ref = np.where(np.isneginf(top), 0, top).astype(x.dtype)
        m, l = merge_stats(m, l, top, np.exp(part - ref[:, None]).sum(axis=1))
    ref = np.where(np.isneginf(m), 0, m).astype(x.dtype)
    return np.exp(x - ref[:, None]) / np.where(l > 0, l, 1).astype(x.dtype)[:, None]
