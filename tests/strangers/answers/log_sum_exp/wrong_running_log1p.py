# Adds the columns one by one with L + log1p(exp(x_j - L)), never swapping the two, so a score that exceeds the log-sum-exp of those before it by more than 88 overflows to inf.
def log_sum_exp(x: np.ndarray) -> np.ndarray:
    columns = np.moveaxis(x, -1, 0)
    L = columns[0].copy()
    for column in columns[1:]:
        L = np.where(np.isneginf(L), column, L + np.log1p(np.exp(column - L)))
    return L[()]
