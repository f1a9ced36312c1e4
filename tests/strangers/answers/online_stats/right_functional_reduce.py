# folds pairs (m, l) with functools.reduce; the pair with weight nothing is passed through
from functools import reduce


def online_stats(stream: Iterable[np.float32]) -> tuple[np.float32, np.float32]:
    def join(state, x):
        m, l = state
        if x == -np.inf:
            return state
        low, high = (m, x) if m < x else (x, m)
        factor = np.exp(low - high)
        return (high, l * factor + np.float32(1)) if m < x else (high, l + factor)

    return reduce(join, stream, (np.float32(-np.inf), np.float32(0)))
