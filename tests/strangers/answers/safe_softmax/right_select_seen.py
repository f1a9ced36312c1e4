# right: row by row, only the entries that are seen take part; everything else stays zero.
def safe_softmax(x: np.ndarray) -> np.ndarray:
    y = np.zeros_like(x)
    for place in np.ndindex(x.shape[:-1]):
        row = x[place]
        seen = row > -np.inf
        if not seen.any():
            continue
        values = row[seen]
        weights = np.exp(values - values.max())
        y[place + (seen,)] = weights / weights.sum()
    return y
