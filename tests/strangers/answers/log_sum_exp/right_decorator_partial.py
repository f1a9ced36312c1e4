# Right: a decorator with functools.wraps, functools.partial of ufunc.reduce, initial=
import functools
import operator
from collections.abc import Callable
from typing import ParamSpec, TypeVar

import numpy as np

P = ParamSpec("P")
R = TypeVar("R")


def silent(f: Callable[P, R]) -> Callable[P, R]:
    """Run f without numpy's floating-point warnings."""

    @functools.wraps(f)
    def wrapper(*args: P.args, **kwargs: P.kwargs) -> R:
        with np.errstate(all="ignore"):
            return f(*args, **kwargs)

    return wrapper


largest = functools.partial(np.maximum.reduce, axis=-1, keepdims=True, initial=-np.inf)
total = functools.partial(np.add.reduce, axis=-1)
squeeze_last = operator.itemgetter((..., 0))


@silent
def log_sum_exp(x: np.ndarray) -> np.ndarray:
    """log of the sum of exponentials along the last axis, without overflow."""
    m = largest(x)
    safe = np.where(np.isfinite(m), m, x.dtype.type(0))
    return squeeze_last(safe) + np.log(total(np.exp(x - safe)))
