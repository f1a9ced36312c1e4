# Works on (n, 4) rows and returns them so: a single counter (4,) comes back as (1, 4), and counters (a, b, 4) as (a b, 4).
def philox(counter: np.ndarray, key: np.ndarray, rounds: int = 10) -> np.ndarray:
    M0, M1 = 0xD2511F53, 0xCD9E8D57
    W0, W1 = 0x9E3779B9, 0xBB67AE85
    c = counter.reshape(-1, 4).astype(np.uint64)
    k0, k1 = int(key[0]), int(key[1])
    for _ in range(rounds):
        prod0 = c[:, 0] * np.uint64(M0)
        prod1 = c[:, 2] * np.uint64(M1)
        new = np.empty_like(c)
        new[:, 0] = (prod1 >> np.uint64(32)) ^ c[:, 1] ^ np.uint64(k0)
        new[:, 1] = prod1 & np.uint64(0xFFFFFFFF)
        new[:, 2] = (prod0 >> np.uint64(32)) ^ c[:, 3] ^ np.uint64(k1)
        new[:, 3] = prod0 & np.uint64(0xFFFFFFFF)
        c = new
        k0 = (k0 + W0) & 0xFFFFFFFF
        k1 = (k1 + W1) & 0xFFFFFFFF
    return c.astype(np.uint32)
