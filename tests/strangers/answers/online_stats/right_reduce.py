# functools.reduce over a NamedTuple state, module constants, a lambda as the rescaling factor
from collections.abc import Iterable
from functools import reduce
from typing import NamedTuple

import numpy as np

NEG = np.float32(float("-inf"))
factor = lambda old, new: np.float32(0) if old == NEG else np.exp(old - new)


class State(NamedTuple):
    top: np.float32 = NEG
    total: np.float32 = np.float32(0)

    def fold(self, value):
        top = value if value > self.top else self.top
        return State(top, self.total * factor(self.top, top) + factor(value, top))


def online_stats(stream: Iterable[np.float32]) -> tuple[np.float32, np.float32]:
    return tuple(reduce(State.fold, stream, State()))
