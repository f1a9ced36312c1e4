# Works in place on the array that was handed in (no copy) and returns it: the words are right, but the caller's counter is overwritten.
def philox(counter: np.ndarray, key: np.ndarray, rounds: int = 10) -> np.ndarray:
    M0, M1 = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
    W0, W1 = 0x9E3779B9, 0xBB67AE85
    k0, k1 = (int(word) for word in key)
    for _ in range(rounds):
        p0 = counter[..., 0].astype(np.uint64) * M0
        p1 = counter[..., 2].astype(np.uint64) * M1
        counter[..., 0] = (p1 >> np.uint64(32)).astype(np.uint32) ^ counter[..., 1] ^ np.uint32(k0)
        counter[..., 1] = p1.astype(np.uint32)
        counter[..., 2] = (p0 >> np.uint64(32)).astype(np.uint32) ^ counter[..., 3] ^ np.uint32(k1)
        counter[..., 3] = p0.astype(np.uint32)
        k0, k1 = (k0 + W0) & 0xFFFFFFFF, (k1 + W1) & 0xFFFFFFFF
    return counter
