# style: a small class with __slots__, properties, __iadd__-like method
import math
from collections.abc import Iterable

import numpy as np


class Running:
    __slots__ = ("_top", "_total")

    def __init__(self) -> None:
        self._top = -math.inf
        self._total = 0.0

    @property
    def top(self) -> float:
        return self._top

    @property
    def total(self) -> float:
        return self._total

    def see(self, value: float) -> None:
        new = max(self._top, value)
        if new == -math.inf:
            return  # masked so far
        self._total *= math.exp(self._top - new)
        self._total += math.exp(value - new)
        self._top = new

    def __repr__(self) -> str:
        return f"Running(top={self._top:g}, total={self._total:g})"


def online_stats(stream: Iterable[np.float32]) -> tuple[np.float32, np.float32]:
    state = Running()
    for value in stream:
        state.see(float(value))
    return state.top, state.total
