# Finds L as the root of sum exp(x - L) = 1: sixty times all exponentials, which nobody counts.
import numpy as np



def log_sum_exp(x):
    n = x.shape[-1]
    m = x.max(-1).astype(np.float64)
    safe = np.where(np.isfinite(m), m, 0)
    low, high = safe.copy(), safe + np.log(n) + 1e-9
    for _ in range(60):
        middle = (low + high) / 2
        over = np.exp(x - middle[..., None]).sum(-1) > 1
        low, high = np.where(over, middle, low), np.where(over, high, middle)
    return np.where(np.isfinite(m), high, m).astype(x.dtype)[()]
