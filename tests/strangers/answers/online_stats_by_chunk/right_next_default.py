# style: iterator protocol by hand (iter/next, while True, try/except StopIteration), debug prints left in comments
import numpy as np


def online_stats_by_chunk(chunks):
    it = iter(chunks)
    first = next(it)
    R = first.shape[0]
    m = np.full(R, -np.inf, dtype=first.dtype)
    l = np.zeros(R, dtype=first.dtype)
    X = first
    while True:
        # print("chunk", X.shape, "m", m[:3])
        m2 = np.maximum(m, X.max(1))
        safe = m2.copy()
        safe[safe == -np.inf] = 0.0
        l *= np.exp(m - safe)
        l += np.exp(X - safe[:, None]).sum(-1)
        m = m2
        try:
            X = next(it)
        except StopIteration:
            break
    # print("done", m, l)
    return m, l
