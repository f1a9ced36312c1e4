# Plain Python integers, one counter at a time, recursive over the rounds, any leading shape through reshape.
def philox(counter: np.ndarray, key: np.ndarray, rounds: int = 10) -> np.ndarray:
    M0, M1 = 0xD2511F53, 0xCD9E8D57
    W0, W1 = 0x9E3779B9, 0xBB67AE85
    FULL = 2**32 - 1

    def mix(c, k, left):
        if left == 0:
            return c
        p, q = M0 * c[0], M1 * c[2]
        c = ((q >> 32) ^ c[1] ^ k[0], q & FULL, (p >> 32) ^ c[3] ^ k[1], p & FULL)
        return mix(c, ((k[0] + W0) & FULL, (k[1] + W1) & FULL), left - 1)

    k = int(key[0]), int(key[1])
    flat = counter.reshape(-1, 4).tolist()
    words = [mix(tuple(c), k, rounds) for c in flat]
    return np.array(words, dtype=np.uint32).reshape(counter.shape)
