# A generator of states and a match statement with guards; the last state is the answer.
from collections import deque
from collections.abc import Iterable

import numpy as np


def _states(stream):
    m, l = np.float32(-np.inf), np.float32(0)
    yield m, l
    for x in stream:
        match x:
            case _ if x == -np.inf:
                continue
            case _ if x <= m:
                l = l + np.exp(x - m)
            case _:
                m, l = x, l * np.exp(m - x) + np.float32(1)
        yield m, l


def online_stats(stream: Iterable[np.float32]) -> tuple[np.float32, np.float32]:
    [last] = deque(_states(stream), maxlen=1)
    return last
