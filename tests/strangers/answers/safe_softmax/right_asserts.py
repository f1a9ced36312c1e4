# style: asserts, validation helper, logging-like messages with f-strings
import numpy as np


class ShapeError(ValueError):
    """Raised when the input has no last axis to normalise."""


def _validate(x: np.ndarray) -> np.ndarray:
    if x.ndim < 1:
        raise ShapeError(f"expected at least one axis, got shape {x.shape!r}")
    if x.shape[-1] < 1:
        raise ShapeError(f"expected N >= 1, got {x.shape[-1]}")
    return x


def safe_softmax(x: np.ndarray) -> np.ndarray:
    """Softmax with the maximum taken off first."""
    x = _validate(x)
    m = np.max(x, axis=-1, keepdims=True)
    shift = np.where(np.isfinite(m), m, np.zeros_like(m))
    p = np.exp(x - shift)
    l = np.sum(p, axis=-1, keepdims=True)
    assert p.shape == x.shape, f"{p.shape} != {x.shape}"
    assert l.shape == m.shape, f"{l.shape} != {m.shape}"
    # a row of zeros stays a row of zeros when it is divided by one
    l[l == 0] = 1
    result = p / l
    assert result.dtype == x.dtype, f"dtype changed from {x.dtype} to {result.dtype}"
    return result
