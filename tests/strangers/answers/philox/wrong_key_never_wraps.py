# Lets the Python integers k0 and k1 grow without the modulus: they pass 32 bits after a few rounds, and the surplus bits get into the next product; one or two rounds from a small key are still right.
def philox(counter: np.ndarray, key: np.ndarray, rounds: int = 10) -> np.ndarray:
    M0, M1 = 0xD2511F53, 0xCD9E8D57
    W0, W1 = 0x9E3779B9, 0xBB67AE85
    c0, c1, c2, c3 = np.moveaxis(counter.astype(np.uint64), -1, 0)
    k0, k1 = (int(word) for word in key)
    for _ in range(rounds):
        p0 = c0 * np.uint64(M0)
        p1 = c2 * np.uint64(M1)
        c0 = (p1 >> np.uint64(32)) ^ c1 ^ np.uint64(k0)
        c1 = p1 & np.uint64(0xFFFFFFFF)
        c2 = (p0 >> np.uint64(32)) ^ c3 ^ np.uint64(k1)
        c3 = p0 & np.uint64(0xFFFFFFFF)
        k0, k1 = k0 + W0, k1 + W1
    return np.stack([c0, c1, c2, c3], axis=-1).astype(np.uint32)
