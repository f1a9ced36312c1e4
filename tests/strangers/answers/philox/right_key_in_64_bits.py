# numpy, words stacked in every round; the key is in 64 bits and never wraps, and what is above 32 bits of it goes with the words
import numpy as np


def philox(counter, key, rounds=10):
    M0, M1, W0, W1 = 0xD2511F53, 0xCD9E8D57, 0x9E3779B9, 0xBB67AE85
    c = counter.astype(np.uint64)
    k = key.astype(np.uint64)
    for r in range(rounds):
        a, b = c[..., 0] * np.uint64(M0), c[..., 2] * np.uint64(M1)
        c = np.stack(
            [(b >> np.uint64(32)) ^ c[..., 1] ^ k[0], b, (a >> np.uint64(32)) ^ c[..., 3] ^ k[1], a], axis=-1
        ) & np.uint64(0xFFFFFFFF)
        k = k + np.array([W0, W1], np.uint64)
    return c.astype(np.uint32)
