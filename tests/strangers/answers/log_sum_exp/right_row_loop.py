# A plain loop over rows as a Fortran programmer writes it, with a branch for the masked row.
def log_sum_exp(x: np.ndarray) -> np.ndarray:
    n = x.shape[-1]
    table = x.reshape(-1, n)
    result = np.empty(table.shape[0], dtype=x.dtype)
    for i in range(table.shape[0]):
        row = table[i]
        top = row.max()
        if top == -np.inf:
            result[i] = -np.inf
        else:
            result[i] = top + np.log(np.exp(row - top).sum())
    return result.reshape(x.shape[:-1])[()]
