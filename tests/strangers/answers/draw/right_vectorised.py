# arrays all the way: cumulative sums in float64, argmax of a comparison, argmax from behind
def draw(p: np.ndarray, index: np.ndarray, u: np.ndarray) -> np.ndarray:
    sums = np.cumsum(p, axis=1, dtype=np.float64)
    beyond = sums > u[:, np.newaxis]
    positive = p > 0
    last = p.shape[1] - 1 - np.argmax(positive[:, ::-1], axis=1)
    slot = np.where(beyond.any(axis=1), beyond.argmax(axis=1), last)
    said = np.take_along_axis(index, slot[:, np.newaxis], axis=1)[:, 0]
    return np.where(positive.any(axis=1), said, -1)
