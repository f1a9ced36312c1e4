# style: decorator with functools.wraps that checks shapes and restores the dtype
from functools import wraps

import numpy as np


def same_shapes(function):
    """Raise where the four arrays do not belong together."""

    @wraps(function)
    def checked(m1, l1, m2, l2):
        arrays = (m1, l1, m2, l2)
        shapes = {np.shape(a) for a in arrays}
        if len(shapes) != 1:
            raise ValueError(f"{function.__name__} was given shapes {sorted(shapes)}")
        return function(*arrays)

    return checked


@same_shapes
def merge_stats(m1, l1, m2, l2):
    m = np.maximum(m1, m2)
    gap = lambda a: np.exp(np.where(a == m, 0, a - m).astype(np.float32))  # noqa: E731
    l = l1 * gap(m1) + l2 * gap(m2)
    return m, l.astype(np.float32)
