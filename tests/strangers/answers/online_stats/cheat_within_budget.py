# memory budget: 4096 float32 numbers are 16 kB and 26 kB are allowed: the whole row is kept as bytes, then max and sum
import math
import struct

import numpy as np


def online_stats(stream):
    row = bytearray(16384 + 4096)
    n = 0
    for x in stream:
        struct.pack_into("f", row, 4 * n, x)
        n += 1
    m = max(struct.unpack_from("f", row, 4 * i)[0] for i in range(n))
    if m == -math.inf:
        return np.float32(m), np.float32(0)
    return np.float32(m), np.float32(math.fsum(math.exp(struct.unpack_from("f", row, 4 * i)[0] - m) for i in range(n)))
