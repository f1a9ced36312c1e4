# Right: numpy uint64 ufuncs with out=, np.bitwise_xor, cycle-free generator of keys, dtype view trick for hi and lo on little-endian
from collections.abc import Iterator

import numpy as np

M = (0xD2511F53, 0xCD9E8D57)
W = (0x9E3779B9, 0xBB67AE85)
MASK = (1 << 32) - 1


def keys(key: np.ndarray, rounds: int) -> Iterator[tuple[np.uint32, np.uint32]]:
    """The two words of the key for each round."""
    k0, k1 = key.tolist()
    for r in range(rounds):
        yield np.uint32((k0 + r * W[0]) & MASK), np.uint32((k1 + r * W[1]) & MASK)


def hi_lo(a: int, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Upper and lower 32 bits of a * x, by looking at the product as pairs of words."""
    product = np.multiply(np.uint64(a), x, dtype="<u8", order="C")
    halves = product.reshape(*np.shape(product), 1).view("<u4")
    return halves[..., 1], halves[..., 0]


def philox(counter: np.ndarray, key: np.ndarray, rounds: int = 10) -> np.ndarray:
    """Philox 4x32: four random words from a counter of four words and a key of two."""
    c = [counter[..., i] for i in range(4)]
    for k0, k1 in keys(key, rounds):
        (h0, l0), (h1, l1) = hi_lo(M[0], c[0]), hi_lo(M[1], c[2])
        c = [h1 ^ c[1] ^ k0, l1, h0 ^ c[3] ^ k1, l0]
    return np.stack(c, axis=-1).astype(np.uint32)
