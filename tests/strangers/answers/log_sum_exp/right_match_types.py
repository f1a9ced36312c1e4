# style: match statement on the number of axes, typed alias
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Scores: TypeAlias = NDArray[np.floating]


def _one_row(row: Scores) -> np.floating:
    """log-sum-exp of a single row."""
    match row.max():
        case top if np.isneginf(top):
            return top
        case top:
            return top + np.log(np.exp(row - top).sum())


def log_sum_exp(x: Scores) -> Scores:
    match x.shape:
        case (_,):
            return _one_row(x)
        case (*outer, n):
            rows = x.reshape(-1, n)
            flat = np.fromiter((_one_row(row) for row in rows), dtype=x.dtype, count=len(rows))
            return flat.reshape(outer)
        case _:
            raise ValueError("a scalar has no rows")
