# Honest: a small class with __add__ for pieces, asserts, np.errstate.
from collections.abc import Iterable

import numpy as np

_ = np.seterr(all="ignore")



class Piece:
    def __init__(self, top, mass):
        self.top, self.mass = top, mass

    def scaled_to(self, top):
        with np.errstate(invalid="ignore"):
            gap = np.where(np.isneginf(self.top), -np.inf, self.top - top)
        return self.mass * np.exp(gap)

    def __add__(self, other):
        top = np.maximum(self.top, other.top)
        return Piece(top, self.scaled_to(top) + other.scaled_to(top))


def merge_stats(m1, l1, m2, l2):
    assert m1.shape == l1.shape == m2.shape == l2.shape, "one shape"
    both = Piece(m1, l1) + Piece(m2, l2)
    return both.top, both.mass.astype(m1.dtype, copy=False)
