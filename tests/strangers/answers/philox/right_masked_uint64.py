# Vectorised in uint64: product, shift and mask, a simultaneous assignment per round.
def philox(counter: np.ndarray, key: np.ndarray, rounds: int = 10) -> np.ndarray:
    M0, M1 = 0xD2511F53, 0xCD9E8D57
    W0, W1 = 0x9E3779B9, 0xBB67AE85
    c0, c1, c2, c3 = np.moveaxis(counter.astype(np.uint64), -1, 0)
    k0, k1 = (int(word) for word in key)
    low = np.uint64(0xFFFFFFFF)
    half = np.uint64(32)
    for _ in range(rounds):
        a, b = np.uint64(M0) * c0, np.uint64(M1) * c2
        c0, c1, c2, c3 = (b >> half) ^ c1 ^ np.uint64(k0), b & low, (a >> half) ^ c3 ^ np.uint64(k1), a & low
        k0, k1 = (k0 + W0) & 0xFFFFFFFF, (k1 + W1) & 0xFFFFFFFF
    return np.stack([c0, c1, c2, c3], axis=-1).astype(np.uint32)
