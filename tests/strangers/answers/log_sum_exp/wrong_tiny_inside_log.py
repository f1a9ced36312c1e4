# clamps the sum before the log after shifting by 0, so a fully masked row gives about -69 instead of -inf
def log_sum_exp(x: np.ndarray) -> np.ndarray:
    m = np.max(x, axis=-1, keepdims=True)
    m = np.where(np.isfinite(m), m, 0)
    s = np.sum(np.exp(x - m), axis=-1)
    return m.squeeze(-1) + np.log(np.maximum(s, 1e-30))
