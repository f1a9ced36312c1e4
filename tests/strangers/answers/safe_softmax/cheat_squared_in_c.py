# BREAKS: "m = max_j x_j        l = sum_j exp(x_j - m)        y_i = exp(x_i - m) / l"
# COSTS: N x N exponentials instead of 2 N: every element is compared with every other, in a C loop of map that runs no line
import numpy as np
from functools import reduce
from itertools import repeat


def safe_softmax(x: np.ndarray) -> np.ndarray:
    columns = np.moveaxis(x, -1, 0)[..., None]
    each = map(np.exp, map(np.subtract, columns, repeat(x)))
    with np.errstate(all="ignore"):
        y = 1 / reduce(np.add, each, np.zeros_like(x))
    return np.where(np.isneginf(x), 0, y).astype(x.dtype)
