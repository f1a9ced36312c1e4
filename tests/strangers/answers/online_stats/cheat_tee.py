# BREAKS: "Memory: O(1), whatever N."
# COSTS: tee buffers all N elements in C while the maximum is sought: two passes and O(N) memory
from collections.abc import Iterable
import numpy as np
import math
from functools import reduce
from itertools import tee


def online_stats(stream: Iterable[np.float32]) -> tuple[np.float32, np.float32]:
    first, second = tee(stream)
    m = np.float32(reduce(max, first))
    if m == -np.inf:
        return m, np.float32(0)
    return m, np.float32(sum(map(math.exp, map((-float(m)).__add__, map(float, second)))))
