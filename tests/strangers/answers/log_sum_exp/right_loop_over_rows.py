# plain loop over rows with early exit for a masked row, result allocated in the dtype of x
def log_sum_exp(x: np.ndarray) -> np.ndarray:
    lead = x.shape[:-1]
    L = np.full(lead, -np.inf, dtype=x.dtype)
    for where in np.ndindex(lead):
        row = x[where]
        m = row.max()
        if m > -np.inf:
            L[where] = m + np.log(np.exp(row - m).sum())
    return L
