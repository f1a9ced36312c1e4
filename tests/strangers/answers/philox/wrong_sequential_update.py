# Overwrites c0 and c1 before c2 and c3 are computed from the old ones: the second half of every round uses the new c0, wrong on every input.
def philox(counter: np.ndarray, key: np.ndarray, rounds: int = 10) -> np.ndarray:
    M0, M1 = 0xD2511F53, 0xCD9E8D57
    W0, W1 = 0x9E3779B9, 0xBB67AE85
    c0, c1, c2, c3 = np.moveaxis(counter.astype(np.uint64), -1, 0)
    k0, k1 = (int(word) for word in key)
    for i in range(rounds):
        hi = (c2 * np.uint64(M1)) >> np.uint64(32)
        lo = (c2 * np.uint64(M1)) & np.uint64(2**32 - 1)
        c0 = hi ^ c1 ^ np.uint64(k0)
        c1 = lo
        hi = (c0 * np.uint64(M0)) >> np.uint64(32)
        lo = (c0 * np.uint64(M0)) & np.uint64(2**32 - 1)
        c2 = hi ^ c3 ^ np.uint64(k1)
        c3 = lo
        k0 = (k0 + W0) & 0xFFFFFFFF
        k1 = (k1 + W1) & 0xFFFFFFFF
    return np.stack([c0, c1, c2, c3], axis=-1).astype(np.uint32)
