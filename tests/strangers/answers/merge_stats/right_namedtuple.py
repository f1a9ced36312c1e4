# style: NamedTuple with a method, operator overloading
from typing import NamedTuple

import numpy as np


class Piece(NamedTuple):
    m: np.ndarray
    l: np.ndarray

    def seen_from(self, top: np.ndarray) -> np.ndarray:
        """The denominator measured from `top`, which may be -inf where nothing was seen."""
        return self.l * np.exp(self.m - np.where(top == -np.inf, 0, top).astype(self.m.dtype))


def merge_stats(m1, l1, m2, l2):
    left, right = Piece(m1, l1), Piece(m2, l2)
    top = np.maximum(left.m, right.m)
    return top, left.seen_from(top) + right.seen_from(top)
