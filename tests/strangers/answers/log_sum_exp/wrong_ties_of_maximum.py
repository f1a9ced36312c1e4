# log1p over the entries strictly below the maximum; a maximum that occurs twice is counted once
def log_sum_exp(x: np.ndarray) -> np.ndarray:
    m = x.max(axis=-1, keepdims=True)
    safe = np.where(np.isneginf(m), 0, m)
    rest = np.where(x < m, np.exp(x - safe), 0).sum(axis=-1)
    return (m[..., 0] + np.log1p(rest)).astype(x.dtype)
