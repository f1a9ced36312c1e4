"""`/` in a Triton kernel: a GPU does not round it to the nearest float32, and the interpreter would.

Which of the two a kernel runs on would show in how it divides, `tl.div_rn` being rounded to the nearest on both. So
the interpreter multiplies by the reciprocal, which is off by as much as a GPU's quotient: two units in the last place.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np


@functools.cache
def as_by_reciprocals() -> bool:
    """From now on the interpreter divides so. False for one that is not known here."""
    try:
        from triton.runtime.interpreter import InterpreterBuilder

        original = InterpreterBuilder.create_fdiv
    except (ImportError, AttributeError):  # Triton 3.6 to 3.9 have it
        return False

    def divided(self: Any, a: Any, b: Any) -> Any:
        return self.binary_op(a, b, _quotient)

    InterpreterBuilder.create_fdiv = functools.wraps(original)(divided)
    return True


def _quotient(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """a / b; in float32 by the reciprocal of b, where that and the result are neither tiny nor infinite."""
    exact = np.divide(a, b)
    if exact.dtype != np.float32:
        return exact
    with np.errstate(all="ignore"):
        inverse = np.divide(np.float32(1), b, dtype=np.float32)
        by_inverse = np.multiply(a, inverse, dtype=np.float32)
        tiny = np.finfo(np.float32).tiny
        ordinary = np.isfinite(by_inverse) & (np.abs(inverse) >= tiny) & (np.abs(by_inverse) >= tiny)
    return np.where(ordinary, by_inverse, exact)
