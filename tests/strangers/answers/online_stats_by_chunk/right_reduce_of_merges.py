# Style: functional: each chunk becomes its own (m, l), and functools.reduce folds them with the associative merge.
from collections.abc import Iterable
from functools import reduce

import numpy as np


def online_stats_by_chunk(chunks: Iterable[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    def weight(x, m):
        """exp(x - m), and 0 for x = -inf whatever m is."""
        difference = np.subtract(x, m, out=np.full_like(x, -np.inf), where=x > -np.inf)
        return np.exp(difference, out=difference)

    def own(chunk):
        m = np.max(chunk, axis=1)
        return m, weight(chunk, m[:, None]).sum(axis=1)

    def merge(one, two):
        m = np.maximum(one[0], two[0])
        return m, one[1] * weight(one[0], m) + two[1] * weight(two[0], m)

    return reduce(merge, map(own, chunks))
