# Right: context managers (np.errstate, warnings.catch_warnings, a contextmanager of its own), where= and nan_to_num
import contextlib
import warnings

import numpy as np


@contextlib.contextmanager
def quiet():
    """No warning about -inf minus -inf."""
    with warnings.catch_warnings(), np.errstate(invalid="ignore", over="ignore", under="ignore"):
        warnings.simplefilter("ignore", category=RuntimeWarning)
        yield


def safe_softmax(x: np.ndarray) -> np.ndarray:
    """Softmax along the last axis, of scores of any size."""
    if x.ndim == 0:
        raise ValueError("a scalar has no last axis")
    with quiet():
        m = np.amax(x, axis=-1, keepdims=True)
        e = np.nan_to_num(np.exp(np.subtract(x, m)), nan=0.0)
        total = e.sum(axis=-1, keepdims=True)
        y = np.zeros_like(x)
        np.divide(e, total, out=y, where=total > 0)
        return y


# %timeit safe_softmax(np.random.randn(1000, 1000).astype(np.float32))
# 9.17 ms ± 121 µs per loop (mean ± std. dev. of 7 runs, 100 loops each)
with quiet():
    demo = safe_softmax(np.array([[-np.inf, -np.inf], [1e30, -1e30]], np.float32))
print(f"{demo = }")
