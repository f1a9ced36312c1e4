# recursion over the rounds; products by halves of 16 bits, so that nothing passes 49 bits
def philox(counter: np.ndarray, key: np.ndarray, rounds: int = 10) -> np.ndarray:
    full = np.uint64(0xFFFFFFFF)
    half, sixteen = np.uint64(0xFFFF), np.uint64(16)

    def product(x, constant):
        """The upper and the lower 32 bits of x * constant."""
        lower = (x & half) * np.uint64(constant)
        upper = (x >> sixteen) * np.uint64(constant)
        hi = (upper + (lower >> sixteen)) >> sixteen
        lo = (lower + ((upper & half) << sixteen)) & full
        return hi, lo

    def mix(words, k0, k1, left):
        if left == 0:
            return words
        c0, c1, c2, c3 = words
        hi0, lo0 = product(c0, 0xD2511F53)
        hi1, lo1 = product(c2, 0xCD9E8D57)
        words = hi1 ^ c1 ^ np.uint64(k0), lo1, hi0 ^ c3 ^ np.uint64(k1), lo0
        return mix(words, (k0 + 0x9E3779B9) % 2**32, (k1 + 0xBB67AE85) % 2**32, left - 1)

    given = tuple(counter[..., i].astype(np.uint64) for i in range(4))
    result = np.empty(counter.shape, dtype=np.uint32)
    for i, word in enumerate(mix(given, int(key[0]), int(key[1]), rounds)):
        result[..., i] = word
    return result
