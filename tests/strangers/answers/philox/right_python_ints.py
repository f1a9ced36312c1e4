# style: Python integers in a generator, np.ndindex, struct-like shifts
import numpy as np


def _rounds(c: tuple[int, int, int, int], k: tuple[int, int], rounds: int) -> tuple[int, ...]:
    low = 2**32 - 1
    (c0, c1, c2, c3), (k0, k1) = c, k
    while rounds > 0:
        p0, p1 = 0xD2511F53 * c0, 0xCD9E8D57 * c2
        c0, c1, c2, c3 = (p1 >> 32) ^ c1 ^ k0, p1 & low, (p0 >> 32) ^ c3 ^ k1, p0 & low
        k0, k1 = k0 + 0x9E3779B9 & low, k1 + 0xBB67AE85 & low
        rounds -= 1
    return c0, c1, c2, c3


def philox(counter: np.ndarray, key: np.ndarray, rounds: int = 10) -> np.ndarray:
    words = np.empty_like(counter)
    secret = int(key[0]), int(key[1])
    for place in np.ndindex(counter.shape[:-1]):
        words[place] = _rounds(tuple(int(c) for c in counter[place]), secret, rounds)
    return words
