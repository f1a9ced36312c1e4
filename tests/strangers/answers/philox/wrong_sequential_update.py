# Updates the words one after the other, so the second product already uses the new c0 instead of the old one; wrong from the first round on.
def philox(counter: np.ndarray, key: np.ndarray, rounds: int = 10) -> np.ndarray:
    M0, M1 = 0xD2511F53, 0xCD9E8D57
    W0, W1 = 0x9E3779B9, 0xBB67AE85
    c0, c1, c2, c3 = np.moveaxis(counter.astype(np.uint64), -1, 0)
    k0, k1 = (int(word) for word in key)
    for _ in range(rounds):
        product = np.uint64(M1) * c2
        c0 = (product >> np.uint64(32)) ^ c1 ^ np.uint64(k0)
        c1 = product & np.uint64(0xFFFFFFFF)
        product = np.uint64(M0) * c0
        c2 = (product >> np.uint64(32)) ^ c3 ^ np.uint64(k1)
        c3 = product & np.uint64(0xFFFFFFFF)
        k0 = (k0 + W0) % 2**32
        k1 = (k1 + W1) % 2**32
    return np.stack([c0, c1, c2, c3], axis=-1).astype(np.uint32)
