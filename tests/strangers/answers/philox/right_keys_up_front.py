# Computes all round keys first (key + r W mod 2^32), then mixes with divmod by 2^32 in a helper.
def philox(counter: np.ndarray, key: np.ndarray, rounds: int = 10) -> np.ndarray:
    M0, M1 = 0xD2511F53, 0xCD9E8D57
    W0, W1 = 0x9E3779B9, 0xBB67AE85
    c0, c1, c2, c3 = np.moveaxis(counter.astype(np.uint64), -1, 0)
    k0, k1 = (int(word) for word in key)
    two32 = np.uint64(1 << 32)

    def hi_lo(factor, word):
        return np.divmod(np.uint64(factor) * word, two32)

    schedule = [((k0 + r * W0) % 2**32, (k1 + r * W1) % 2**32) for r in range(rounds)]
    for ka, kb in schedule:
        hi1, lo1 = hi_lo(M1, c2)
        hi0, lo0 = hi_lo(M0, c0)
        c0 = hi1 ^ c1 ^ np.uint64(ka)
        c1 = lo1
        c2 = hi0 ^ c3 ^ np.uint64(kb)
        c3 = lo0
    return np.stack([c0, c1, c2, c3], axis=-1).astype(np.uint32)
