# Right: with np.errstate, the two steps in a local generator-free closure, walrus inside.
import numpy as np


def safe_softmax(x: np.ndarray) -> np.ndarray:
    def shift():
        return m if np.isfinite(m := x.max(axis=-1, keepdims=True)).all() else np.where(
            m == -np.inf, np.float32(0), m
        )

    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        e = np.exp(x - shift())
        if (empty := (l := e.sum(axis=-1, keepdims=True)) == 0).any():
            l = l + empty  # a row of zeros is divided by 1
        return (e / l).astype(x.dtype, copy=False)
