# right: a Python loop over the rows with np.ndindex (one turn for a single row), written into fresh memory
def naive_softmax(x: np.ndarray) -> np.ndarray:
    y = np.empty_like(x)
    for row in np.ndindex(x.shape[:-1]):
        weights = np.exp(x[row])
        y[row] = weights / np.add.reduce(weights)
    return y
