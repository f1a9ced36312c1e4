# Right: a frozen dataclass with functools.cached_property, a Protocol and a type alias
from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

Scores: TypeAlias = npt.NDArray[np.float32]
MASKED: Final = -np.inf


class Normaliser(Protocol):
    def probabilities(self) -> Scores: ...


@dataclass(frozen=True, eq=False)
class StableRow:
    """Rows of scores with what the stable softmax needs of them."""

    scores: Scores

    @cached_property
    def maximum(self) -> Scores:
        m = self.scores.max(axis=-1, keepdims=True)
        return np.where(m == MASKED, np.zeros_like(m), m)

    @cached_property
    def exponentials(self) -> Scores:
        return np.exp(self.scores - self.maximum)

    @cached_property
    def denominator(self) -> Scores:
        return self.exponentials.sum(axis=-1, keepdims=True)

    def probabilities(self) -> Scores:
        return self.exponentials / np.where(self.denominator == 0, 1, self.denominator).astype(
            self.scores.dtype
        )


def safe_softmax(x: np.ndarray) -> np.ndarray:
    """Softmax along the last axis, of scores of any size."""
    row: Normaliser = StableRow(x)
    return row.probabilities()
