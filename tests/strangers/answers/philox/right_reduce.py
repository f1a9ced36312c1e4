# Right: functools.reduce over the rounds, a tuple of words and keys as the state, shifts and masks.
from functools import reduce

import numpy as np


def philox(counter: np.ndarray, key: np.ndarray, rounds: int = 10) -> np.ndarray:
    low_bits, by_32 = np.uint64(0xFFFFFFFF), np.uint64(32)
    m0, m1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)

    def mix(state, _):
        (c0, c1, c2, c3), (k0, k1) = state
        p0, p1 = m0 * c0, m1 * c2
        words = (
            (p1 >> by_32) ^ c1 ^ np.uint64(k0),
            p1 & low_bits,
            (p0 >> by_32) ^ c3 ^ np.uint64(k1),
            p0 & low_bits,
        )
        return words, ((k0 + 0x9E3779B9) & 0xFFFFFFFF, (k1 + 0xBB67AE85) & 0xFFFFFFFF)

    columns = tuple(np.moveaxis(counter.astype(np.uint64), -1, 0))
    words, _ = reduce(mix, range(rounds), (columns, tuple(int(word) for word in key)))
    return np.stack(words, axis=-1).astype(np.uint32)
