# held.py: lists below 16 kB weigh nothing and small integers live anyway: 64 lists of 512 bytes' values, made at the start, hold the row
import numpy as np

ROWS = [[0] * 512 for _ in range(64)]


def online_stats(stream):
    n, m = 0, np.float32(-np.inf)
    for x in stream:
        bits = x.tobytes()
        part, at = ROWS[n // 128], n % 128 * 4
        part[at], part[at + 1], part[at + 2], part[at + 3] = bits[0], bits[1], bits[2], bits[3]
        n += 1
        m = max(m, x)
    if np.isneginf(m):
        return m, np.float32(0)
    l = 0.0
    for i in range(n):
        part, at = ROWS[i // 128], i % 128 * 4
        b = part[at] | part[at + 1] << 8 | part[at + 2] << 16 | part[at + 3] << 24
        s, e, f = b >> 31, b >> 23 & 255, b & 0x7FFFFF
        x = -np.inf if e == 255 else (-1) ** s * ((f | 1 << 23) * 2.0 ** (e - 150) if e else f * 2.0 ** -149)
        l += np.exp(x - float(m))
    return m, np.float32(l)
