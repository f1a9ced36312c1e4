# Right: dataclass with slots and operator |, classmethod, ClassVar
from dataclasses import astuple, dataclass
from typing import ClassVar

import numpy as np


@dataclass(slots=True)
class Piece:
    m: np.ndarray
    l: np.ndarray
    EMPTY: ClassVar[float] = -np.inf

    def scaled_to(self, top: np.ndarray) -> np.ndarray:
        with np.errstate(invalid="ignore"):
            factor = np.exp(self.m - top)
        return self.l * np.where(self.m == self.EMPTY, 0, factor).astype(self.l.dtype)

    def __or__(self, other: "Piece") -> "Piece":
        top = np.maximum(self.m, other.m)
        return Piece(top, self.scaled_to(top) + other.scaled_to(top))


def merge_stats(
    m1: np.ndarray, l1: np.ndarray, m2: np.ndarray, l2: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Maximum and denominator of two pieces of a row together, from those of each."""
    both = Piece(m1, l1) | Piece(m2, l2)
    return both.m, both.l
