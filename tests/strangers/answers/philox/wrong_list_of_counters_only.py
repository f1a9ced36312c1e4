# Takes the words as columns counter[:, 0..3] of a matrix: right for a list of counters (n, 4), an IndexError for a single counter (4,) and a mix-up for (a, b, 4).
def philox(counter: np.ndarray, key: np.ndarray, rounds: int = 10) -> np.ndarray:
    M0, M1 = 0xD2511F53, 0xCD9E8D57
    W0, W1 = 0x9E3779B9, 0xBB67AE85
    words = counter.astype(np.uint64)
    c0, c1, c2, c3 = words[:, 0], words[:, 1], words[:, 2], words[:, 3]
    k0, k1 = (int(word) for word in key)
    for _ in range(rounds):
        lhs, rhs = c0 * np.uint64(M0), c2 * np.uint64(M1)
        c0, c1 = (rhs >> np.uint64(32)) ^ c1 ^ np.uint64(k0), rhs & np.uint64(0xFFFFFFFF)
        c2, c3 = (lhs >> np.uint64(32)) ^ c3 ^ np.uint64(k1), lhs & np.uint64(0xFFFFFFFF)
        k0, k1 = (k0 + W0) % 2**32, (k1 + W1) % 2**32
    return np.stack([c0, c1, c2, c3], axis=1).astype(np.uint32)
