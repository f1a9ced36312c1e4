# Right: a mulhilo helper with shifts and masks, walrus for the round keys, generator of keys
import numpy as np

MASK = np.uint64(0xFFFFFFFF)
SHIFT = np.uint64(32)


def philox(counter: np.ndarray, key: np.ndarray, rounds: int = 10) -> np.ndarray:
    M0, M1 = 0xD2511F53, 0xCD9E8D57
    W0, W1 = 0x9E3779B9, 0xBB67AE85
    c0, c1, c2, c3 = np.moveaxis(counter.astype(np.uint64), -1, 0)
    k0, k1 = (int(word) for word in key)

    def mulhilo(a, b):
        product = np.multiply(np.uint64(a), b, dtype=np.uint64)
        return product >> SHIFT, product & MASK

    def keys():
        x, y = k0, k1
        while True:
            yield np.uint64(x), np.uint64(y)
            x, y = (x + W0) % 2**32, (y + W1) % 2**32

    for _, (x, y) in zip(range(rounds), keys()):
        (hi0, lo0), (hi1, lo1) = mulhilo(M0, c0), mulhilo(M1, c2)
        c0, c1, c2, c3 = hi1 ^ c1 ^ x, lo1, hi0 ^ c3 ^ y, lo0
    return np.stack([c0, c1, c2, c3], axis=-1).astype(np.uint32)
