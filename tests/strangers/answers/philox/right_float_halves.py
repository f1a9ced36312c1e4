# Right within its contract: no 64-bit integer product is ever taken: words are cut into 16-bit halves and multiplied in float64, with floor and mod, as on hardware without wide integers.
# Breaks: "One round, with hi and lo the upper and lower 32 bits of a product of 64 bits"
import numpy as np


def philox(counter: np.ndarray, key: np.ndarray, rounds: int = 10) -> np.ndarray:
    M0, M1 = 0xD2511F53, 0xCD9E8D57
    W0, W1 = 0x9E3779B9, 0xBB67AE85
    c0, c1, c2, c3 = np.moveaxis(counter.astype(np.uint64), -1, 0)
    k0, k1 = (int(word) for word in key)

    def product(M, c):
        c = c.astype(np.float64)
        high, low = np.floor(c / 65536), np.mod(c, 65536)
        a, b = M * low, M * high  # both below 2^48: exact
        low_sum = np.mod(b, 65536) * 65536 + a  # below 2^49
        carry = np.floor(low_sum / 2**32)
        return (
            (np.floor(b / 65536) + carry).astype(np.uint64),
            np.mod(low_sum, 2**32).astype(np.uint64),
        )

    for r in range(rounds):
        hi0, lo0 = product(M0, c0)
        hi1, lo1 = product(M1, c2)
        c0, c1, c2, c3 = (
            hi1 ^ c1 ^ np.uint64(k0), lo1, hi0 ^ c3 ^ np.uint64(k1), lo0
        )
        k0, k1 = (k0 + W0) % 2**32, (k1 + W1) % 2**32
    return np.stack([c0, c1, c2, c3], axis=-1).astype(np.uint32)
