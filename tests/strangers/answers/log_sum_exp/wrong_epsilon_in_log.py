# Adds 1e-12 inside the logarithm against log(0): a fully masked row gives log(1e-12) = -27.6 in place of -inf.
def log_sum_exp(x: np.ndarray) -> np.ndarray:
    eps = 1e-12
    c = np.max(x, axis=-1, keepdims=True)
    c = np.where(np.isfinite(c), c, np.zeros_like(c))
    s = np.exp(x - c).sum(axis=-1)
    return (np.squeeze(c, -1) + np.log(s + eps)).astype(x.dtype)
