# Right: the key of round r computed as k + r W mod 2^32, products split by shift and mask.
def philox(counter: np.ndarray, key: np.ndarray, rounds: int = 10) -> np.ndarray:
    M0, M1 = 0xD2511F53, 0xCD9E8D57
    W0, W1 = 0x9E3779B9, 0xBB67AE85
    c0, c1, c2, c3 = np.moveaxis(counter.astype(np.uint64), -1, 0)
    k0, k1 = (int(word) for word in key)
    low, half = np.uint64(0xFFFFFFFF), np.uint64(32)
    for r in range(rounds):
        key0 = np.uint64((k0 + r * W0) % 2**32)
        key1 = np.uint64((k1 + r * W1) % 2**32)
        even, odd = c0 * np.uint64(M0), c2 * np.uint64(M1)
        c0, c2 = (odd >> half) ^ c1 ^ key0, (even >> half) ^ c3 ^ key1
        c1, c3 = odd & low, even & low
    return np.stack([c0, c1, c2, c3], axis=-1).astype(np.uint32)
