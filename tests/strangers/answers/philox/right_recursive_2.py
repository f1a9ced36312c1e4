# style: right; recursion over the rounds, products by halves of 16 bits
def philox(counter: np.ndarray, key: np.ndarray, rounds: int = 10) -> np.ndarray:
    sixteen, low16, low32 = np.uint64(16), np.uint64(0xFFFF), np.uint64(0xFFFFFFFF)

    def halves(multiplier, x):
        """Upper and lower 32 bits of multiplier * x, by the school method."""
        m1, m0 = np.uint64(multiplier >> 16), np.uint64(multiplier & 0xFFFF)
        x1, x0 = x >> sixteen, x & low16
        bottom = m0 * x0
        middle = m1 * x0 + (bottom >> sixteen)
        other = m0 * x1 + (middle & low16)
        high = m1 * x1 + (middle >> sixteen) + (other >> sixteen)
        return high, ((other << sixteen) & low32) | (bottom & low16)

    def mix(c, k0, k1, left):
        if left == 0:
            return c
        hi0, lo0 = halves(0xD2511F53, c[0])
        hi1, lo1 = halves(0xCD9E8D57, c[2])
        mixed = [hi1 ^ c[1] ^ np.uint64(k0), lo1, hi0 ^ c[3] ^ np.uint64(k1), lo0]
        return mix(mixed, (k0 + 0x9E3779B9) % 2**32, (k1 + 0xBB67AE85) % 2**32, left - 1)

    wide = counter.astype(np.uint64)
    words = mix([wide[..., i] for i in range(4)], int(key[0]), int(key[1]), rounds)
    return np.stack(words, axis=-1).astype(np.uint32)
