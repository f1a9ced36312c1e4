# Breaks "a pure function of counter and key": all words that were ever drawn are kept between calls, in a table that only grows
import numpy as np


def philox(counter: np.ndarray, key: np.ndarray, rounds: int = 10, drawn={}) -> np.ndarray:
    M0, M1 = 0xD2511F53, 0xCD9E8D57
    W0, W1 = 0x9E3779B9, 0xBB67AE85
    name = (counter.shape, tuple(int(c) for c in counter.reshape(-1)), tuple(int(w) for w in key), rounds)
    if name in drawn:
        return drawn[name].copy()
    c0, c1, c2, c3 = np.moveaxis(counter.astype(np.uint64), -1, 0)
    k0, k1 = (int(word) for word in key)
    low, half = np.uint64(0xFFFFFFFF), np.uint64(32)
    for _ in range(rounds):
        a, b = np.uint64(M0) * c0, np.uint64(M1) * c2
        c0, c1, c2, c3 = (
            (b >> half) ^ c1 ^ np.uint64(k0), b & low, (a >> half) ^ c3 ^ np.uint64(k1), a & low
        )
        k0, k1 = (k0 + W0) % 2**32, (k1 + W1) % 2**32
    words = np.stack([c0, c1, c2, c3], axis=-1).astype(np.uint32)
    drawn[name] = words.copy()
    return words
