# Right: Java, a class with private fields, getters and static methods behind the function.
import numpy as np


class RowStatistics:
    """Maximum and denominator of the rows of an array."""

    def __init__(self, scores):
        self._scores = scores
        self._maximum = scores.max(axis=-1, keepdims=True)
        shifted = scores - RowStatistics.finite_or_zero(self._maximum)
        self._exponentials = np.exp(shifted)
        self._denominator = self._exponentials.sum(axis=-1, keepdims=True)

    @staticmethod
    def finite_or_zero(m):
        return np.where(np.isneginf(m), np.zeros_like(m), m)

    def get_exponentials(self):
        return self._exponentials

    def get_denominator(self):
        return self._denominator

    def normalised(self):
        denominator = self.get_denominator()
        one = np.ones_like(denominator)
        return self.get_exponentials() / np.where(denominator == 0, one, denominator)


def safe_softmax(x: np.ndarray) -> np.ndarray:
    statistics = RowStatistics(x)
    return statistics.normalised()
