# Style: numpy veteran: 64-bit words, shifts and a mask of 32 ones.
import numpy as np


def philox(counter: np.ndarray, key: np.ndarray, rounds: int = 10) -> np.ndarray:
    M0, M1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
    W0, W1 = 0x9E3779B9, 0xBB67AE85
    low, half = np.uint64(0xFFFFFFFF), np.uint64(32)
    c0, c1, c2, c3 = np.moveaxis(counter.astype(np.uint64), -1, 0)
    k0, k1 = (int(word) for word in key)
    for _ in range(rounds):
        a, b = M0 * c0, M1 * c2
        c0, c1 = (b >> half) ^ c1 ^ np.uint64(k0), b & low
        c2, c3 = (a >> half) ^ c3 ^ np.uint64(k1), a & low
        k0, k1 = (k0 + W0) % 2**32, (k1 + W1) % 2**32
    return np.stack([c0, c1, c2, c3], axis=-1).astype(np.uint32)
