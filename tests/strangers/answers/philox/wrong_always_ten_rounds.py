# Ignores the argument `rounds` and always mixes ten times: right for the default, wrong for every other number of rounds.
def philox(counter: np.ndarray, key: np.ndarray, rounds: int = 10) -> np.ndarray:
    M0, M1 = 0xD2511F53, 0xCD9E8D57
    W0, W1 = 0x9E3779B9, 0xBB67AE85
    c0, c1, c2, c3 = np.moveaxis(counter.astype(np.uint64), -1, 0)
    k0, k1 = (int(word) for word in key)
    low, shift = np.uint64(2**32 - 1), np.uint64(32)
    key_pairs = [((k0 + i * W0) % 2**32, (k1 + i * W1) % 2**32) for i in range(10)]
    for a, b in key_pairs:
        x, y = np.uint64(M0) * c0, np.uint64(M1) * c2
        c0, c1, c2, c3 = (y >> shift) ^ c1 ^ np.uint64(a), y & low, (x >> shift) ^ c3 ^ np.uint64(b), x & low
    return np.stack([c0, c1, c2, c3], axis=-1).astype(np.uint32)
