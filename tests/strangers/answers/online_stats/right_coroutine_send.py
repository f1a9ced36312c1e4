# Right: a coroutine that is fed with send() and asked with close-free priming; slots class for the state
from collections.abc import Generator, Iterable

import numpy as np


def online() -> Generator[tuple[np.float32, np.float32], np.float32, None]:
    """Send it elements; it yields (m, l) of those so far."""
    m, l = np.float32(-np.inf), np.float32(0)
    while True:
        x = yield m, l
        new = max(m, x)
        if new != -np.inf:
            l = l * np.exp(m - new) + np.exp(x - new)
        m = new


def online_stats(stream: Iterable[np.float32]) -> tuple[np.float32, np.float32]:
    """Maximum and denominator of the softmax of one row, in one pass over its elements."""
    state = online()
    answer = next(state)
    for x in stream:
        answer = state.send(x)
    return answer
