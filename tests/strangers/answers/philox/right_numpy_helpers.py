# style: numpy person: typed helpers, errstate, np.uint64 masks and a loop over rounds
import numpy as np

M0, M1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
W0, W1 = 0x9E3779B9, 0xBB67AE85
MASK = np.uint64(0xFFFFFFFF)
HALF = np.uint64(32)


def mulhilo(a: np.uint64, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Upper and lower 32 bits of the product of two 32-bit words."""
    product = a * b
    return product >> HALF, product & MASK


def philox(counter: np.ndarray, key: np.ndarray, rounds: int = 10) -> np.ndarray:
    c0, c1, c2, c3 = (counter[..., i].astype(np.uint64) for i in range(4))
    k0, k1 = map(int, key)
    for _ in range(rounds):
        hi0, lo0 = mulhilo(M0, c0)
        hi1, lo1 = mulhilo(M1, c2)
        c0, c1, c2, c3 = hi1 ^ c1 ^ np.uint64(k0), lo1, hi0 ^ c3 ^ np.uint64(k1), lo0
        k0, k1 = (k0 + W0) % 2**32, (k1 + W1) % 2**32
    return np.stack((c0, c1, c2, c3), axis=-1).astype(np.uint32)
