# counts the sums that are at most u, held back to the last slot that has a share
def draw(p: np.ndarray, index: np.ndarray, u: np.ndarray) -> np.ndarray:
    sums = np.cumsum(p, axis=1, dtype=np.float64)
    slot = (sums <= u[:, None]).sum(axis=1)
    last = p.shape[1] - 1 - np.argmax((p > 0)[:, ::-1], axis=1)
    token = np.take_along_axis(index, np.minimum(slot, last)[:, None], 1)[:, 0]
    return np.where((p > 0).any(axis=1), token, -1)
