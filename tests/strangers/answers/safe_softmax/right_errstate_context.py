# Right: np.errstate context manager, np.nanmax-free, np.divide with out= and where=, einsum for the sum
import numpy as np


def safe_softmax(x: np.ndarray) -> np.ndarray:
    with np.errstate(invalid="ignore", divide="ignore", over="ignore", under="ignore"):
        m = np.maximum.reduce(x, axis=-1, keepdims=True, initial=-np.inf)
        shift = np.where(np.isneginf(m), np.zeros_like(m), m)
        e = np.subtract(x, shift)
        np.exp(e, out=e)
        l = np.einsum("...n->...", e)[..., np.newaxis]
        return np.divide(e, l, out=np.zeros_like(e), where=l > 0)
