# Computes in float64 for accuracy and hands the float64 back, although the result must have the dtype of x.
def log_sum_exp(x: np.ndarray) -> np.ndarray:
    big = np.asarray(x, dtype=np.float64)
    m = big.max(-1)
    dead = m == -np.inf
    out = np.where(dead, 0.0, m)
    out = out + np.log(np.sum(np.exp(big - out[..., None]), -1))
    return out
