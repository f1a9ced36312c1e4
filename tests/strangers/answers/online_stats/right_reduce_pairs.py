# A functional fold: every element is the pair (x, 1), pairs are joined by functools.reduce from the identity.
from functools import reduce


def online_stats(stream: Iterable[np.float32]) -> tuple[np.float32, np.float32]:
    ZERO, ONE = np.float32(0), np.float32(1)

    def join(pair, x):
        m, l = pair
        if x == -np.inf:
            return pair
        if m == -np.inf:
            return x, ONE
        new = np.maximum(m, x)
        return new, l * np.exp(m - new) + np.exp(x - new)

    return reduce(join, stream, (np.float32(-np.inf), ZERO))
