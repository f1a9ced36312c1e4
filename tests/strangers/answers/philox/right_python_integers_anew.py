# Python's own integers in a nested loop, then an array.
import numpy as np


def philox(counter: np.ndarray, key: np.ndarray, rounds: int = 10) -> np.ndarray:
    m0, m1, w0, w1, full = 0xD2511F53, 0xCD9E8D57, 0x9E3779B9, 0xBB67AE85, 0xFFFFFFFF

    def words(c, k0, k1):
        for _ in range(rounds):
            p, r = m0 * c[0], m1 * c[2]
            c = ((r >> 32) ^ c[1] ^ k0, r & full, (p >> 32) ^ c[3] ^ k1, p & full)
            k0, k1 = (k0 + w0) & full, (k1 + w1) & full
        return c

    flat = [words(c, *key.tolist()) for c in counter.reshape(-1, 4).tolist()]
    return np.array(flat, dtype=np.uint32).reshape(counter.shape)
