# recursion over the rounds with the key of each round in closed form, high halves from four products of 16 bits
def philox(counter: np.ndarray, key: np.ndarray, rounds: int = 10) -> np.ndarray:
    """Philox 4x32: four random words from a counter of four words and a key of two.

    counter: (..., 4) uint32, each with its own c0, c1, c2, c3; key: (2,) uint32, k0 and k1 for
    all of them; rounds: how often the words are mixed, at least once.
    Returns words (..., 4) uint32, a pure function of counter and key.
    One round, with hi and lo the upper and lower 32 bits of a product of 64 bits:

        c0' = hi(M1 c2) ^ c1 ^ k0        c1' = lo(M1 c2)
        c2' = hi(M0 c0) ^ c3 ^ k1        c3' = lo(M0 c0)

    Between two rounds k0 grows by W0 and k1 by W1, modulo 2^32.
    Salmon, Moraes, Dror and Shaw (2011).
    Forbidden: random, Philox. It stays within numpy and Python. Arguments stay as they are,
    and results are new memory.
    """
    M0, M1 = 0xD2511F53, 0xCD9E8D57
    W0, W1 = 0x9E3779B9, 0xBB67AE85
    c0, c1, c2, c3 = np.moveaxis(counter.astype(np.uint64), -1, 0)
    k0, k1 = (int(word) for word in key)
    low32, low16 = 0xFFFFFFFF, 0xFFFF

    def high(x, y):
        """The upper 32 bits of x y, with 16 bits at a time."""
        x1, x0, y1, y0 = x >> 16, x & low16, y >> 16, y & low16
        middle = x1 * y0 + ((x0 * y0) >> 16)
        return x1 * y1 + (middle >> 16) + ((x0 * y1 + (middle & low16)) >> 16)

    def mixed(words, turn):
        if turn == rounds:
            return words
        a, b, c, d = words
        first, second = (k0 + turn * W0) & low32, (k1 + turn * W1) & low32
        new = high(c, M1) ^ b ^ first, (c * M1) & low32, high(a, M0) ^ d ^ second, (a * M0) & low32
        return mixed(new, turn + 1)

    c0, c1, c2, c3 = mixed((c0, c1, c2, c3), 0)
    return np.stack([c0, c1, c2, c3], axis=-1).astype(np.uint32)
