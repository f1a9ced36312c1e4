# Raises the key before each round instead of between two rounds, so already the first round uses k + W; no known answer comes out, not even for one round.
def philox(counter: np.ndarray, key: np.ndarray, rounds: int = 10) -> np.ndarray:
    M0, M1 = 0xD2511F53, 0xCD9E8D57
    W0, W1 = 0x9E3779B9, 0xBB67AE85
    c0, c1, c2, c3 = np.moveaxis(counter.astype(np.uint64), -1, 0)
    k0, k1 = (int(word) for word in key)
    m32 = np.uint64(0xFFFFFFFF)
    for r in range(1, rounds + 1):
        ka, kb = np.uint64((k0 + r * W0) % 2**32), np.uint64((k1 + r * W1) % 2**32)
        left, right = np.uint64(M0) * c0, np.uint64(M1) * c2
        c0, c2 = (right >> np.uint64(32)) ^ c1 ^ ka, (left >> np.uint64(32)) ^ c3 ^ kb
        c1, c3 = right & m32, left & m32
    return np.stack([c0, c1, c2, c3], axis=-1).astype(np.uint32)
