# Right: row by row over the flattened leading axes, only the unmasked entries are computed, in float64, then cast back.
def safe_softmax(x: np.ndarray) -> np.ndarray:
    def fill(row, out):
        seen = row > -np.inf
        if seen.any():
            values = row[seen].astype(np.float64)
            weights = np.exp(values - values.max())
            out[seen] = weights / weights.sum()

    y = np.zeros(x.shape, dtype=x.dtype)
    n = x.shape[-1]
    for row, out in zip(x.reshape(-1, n), y.reshape(-1, n)):
        fill(row, out)
    return y
