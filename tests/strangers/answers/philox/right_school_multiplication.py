# Never leaves 32 bits: the 64-bit product is put together from 16-bit halves as in school, and the recursion goes over the remaining rounds.
def philox(counter: np.ndarray, key: np.ndarray, rounds: int = 10) -> np.ndarray:
    def halves(x, m):
        m_low, m_high = np.uint32(m & 0xFFFF), np.uint32(m >> 16)
        x_low, x_high = x & np.uint32(0xFFFF), x >> np.uint32(16)
        ll, lh, hl, hh = x_low * m_low, x_low * m_high, x_high * m_low, x_high * m_high
        carry = (ll >> np.uint32(16)) + (lh & np.uint32(0xFFFF)) + (hl & np.uint32(0xFFFF))
        upper = hh + (lh >> np.uint32(16)) + (hl >> np.uint32(16)) + (carry >> np.uint32(16))
        lower = (ll & np.uint32(0xFFFF)) | (carry << np.uint32(16))
        return upper, lower

    def mix(words, k0, k1, left):
        hi0, lo0 = halves(words[0], 0xD2511F53)
        hi1, lo1 = halves(words[2], 0xCD9E8D57)
        words = [hi1 ^ words[1] ^ np.uint32(k0), lo1, hi0 ^ words[3] ^ np.uint32(k1), lo0]
        if left == 1:
            return words
        return mix(words, (k0 + 0x9E3779B9) % 2**32, (k1 + 0xBB67AE85) % 2**32, left - 1)

    flat = np.array(counter, dtype=np.uint32).reshape(-1, 4)
    words = mix(list(flat.T), int(key[0]), int(key[1]), rounds)
    return np.stack(words, axis=-1).reshape(counter.shape)
