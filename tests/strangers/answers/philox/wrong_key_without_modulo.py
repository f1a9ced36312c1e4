# Wrong: the key grows past 2^32, and its upper bits get into the words.
# Breaks: "Between two rounds k0 grows by W0 and k1 by W1, modulo 2^32."
import numpy as np


def philox(counter: np.ndarray, key: np.ndarray, rounds: int = 10) -> np.ndarray:
    """Philox 4x32: four random words from a counter of four words and a key of two.

    counter: (..., 4) uint32, each with its own c0, c1, c2, c3; key: (2,) uint32, k0 and k1 for
    all of them; rounds: how often the words are mixed, at least once.
    Returns words (..., 4) uint32, a pure function of counter and key.
    One round, with hi and lo the upper and lower 32 bits of a product of 64 bits:

        c0' = hi(M1 c2) ^ c1 ^ k0        c1' = lo(M1 c2)
        c2' = hi(M0 c0) ^ c3 ^ k1        c3' = lo(M0 c0)

    Between two rounds k0 grows by W0 and k1 by W1, modulo 2^32.
    Salmon, Moraes, Dror and Shaw (2011).
    Forbidden: random, Philox. It stays within numpy and Python. Arguments stay as they are,
    and results are new memory.
    """
    M0, M1 = 0xD2511F53, 0xCD9E8D57
    W0, W1 = 0x9E3779B9, 0xBB67AE85
    c0, c1, c2, c3 = np.moveaxis(counter.astype(np.uint64), -1, 0)
    k0, k1 = (int(word) for word in key)
    low = np.uint64(0xFFFFFFFF)
    for _ in range(rounds):
        a, b = np.uint64(M1) * c2, np.uint64(M0) * c0
        c0, c1, c2, c3 = (
            (a >> np.uint64(32)) ^ c1 ^ np.uint64(k0),
            a & low,
            (b >> np.uint64(32)) ^ c3 ^ np.uint64(k1),
            b & low,
        )
        k0, k1 = k0 + W0, k1 + W1
    return np.stack([c0, c1, c2, c3], axis=-1).astype(np.uint32)
