# a debugger that is switched off
import numpy as np
import logging

log = logging.getLogger(__name__)
DEBUG = False


class ShapeError(ValueError):
    """Raised for a scalar."""


def _row_max(x):
    m = np.max(x, axis=-1, keepdims=True)
    return np.where(np.isneginf(m), np.zeros_like(m), m)


def safe_softmax(x):
    if x.ndim == 0:
        raise ShapeError(f"need at least one axis, got shape {x.shape}")
    with np.errstate(invalid="ignore", over="ignore", divide="ignore"):
        y = np.subtract(x, _row_max(x))
        np.exp(y, out=y)
        total = np.add.reduce(y, axis=-1, keepdims=True)
        total[total == 0] = 1
        y /= total
    if DEBUG:
        import pdb; pdb.set_trace()
        log.debug("softmax %s", y)
    return y
