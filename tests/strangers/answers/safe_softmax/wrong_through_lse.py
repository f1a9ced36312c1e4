# WRONG: exp(x - (m + log l)) rounds the log-sum-exp where |m| is large (1e5 and up): rows no longer sum to 1 ("the others have any size")
import numpy as np



def safe_softmax(x: np.ndarray) -> np.ndarray:
    m = x.max(axis=-1, keepdims=True)
    m = np.where(m == -np.inf, np.float32(0), m)
    with np.errstate(divide="ignore"):
        lse = m + np.log(np.exp(x - m).sum(axis=-1, keepdims=True))
    lse = np.where(np.isinf(lse), np.float32(0), lse)
    return np.exp(x - lse).astype(x.dtype)
