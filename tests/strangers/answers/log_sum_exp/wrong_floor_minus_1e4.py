# Replaces -inf by -1e4 with np.maximum and calls a row masked when its maximum is not above -1e4, so unmasked scores at or below -1e4 count as masked or are lifted to -1e4.
MASKED = -1e4


def log_sum_exp(x: np.ndarray) -> np.ndarray:
    x = np.maximum(x, np.float32(MASKED))
    m = x.max(axis=-1)
    L = m + np.log(np.exp(x - m[..., None]).sum(axis=-1))
    return np.where(m <= MASKED, np.float32(-np.inf), L)[()]
