# Right: a generator-based coroutine fed with send(), closing() context manager, np.float32 arithmetic
from collections.abc import Generator, Iterable
from contextlib import closing

import numpy as np


def accumulator() -> Generator[tuple, float, None]:
    m, l = np.float32(-np.inf), np.float32(0)
    while True:
        x = yield m, l
        if x == -np.inf:
            continue
        m_new = max(m, x)
        l = l * np.exp(m - m_new) + np.exp(x - m_new)
        m = m_new


def online_stats(stream: Iterable[np.float32]) -> tuple[np.float32, np.float32]:
    with closing(accumulator()) as machine:
        answer = next(machine)
        for x in stream:
            answer = machine.send(x)
    return answer
