# Right: np.divmod by 2^32 for the two halves, the key schedule as a generator expression.
import numpy as np

TWO_32 = 1 << 32


def philox(counter, key, rounds=10):
    M0, M1 = 0xD2511F53, 0xCD9E8D57
    W0, W1 = 0x9E3779B9, 0xBB67AE85
    words = [counter[..., i].astype(np.uint64) for i in range(4)]
    k0, k1 = map(int, key)
    schedule = (((k0 + r * W0) % TWO_32, (k1 + r * W1) % TWO_32) for r in range(rounds))

    def halves(multiplier, word):
        return np.divmod(np.uint64(multiplier) * word, np.uint64(TWO_32))

    for a, b in schedule:
        (hi0, lo0), (hi1, lo1) = halves(M0, words[0]), halves(M1, words[2])
        words = [hi1 ^ words[1] ^ np.uint64(a), lo1, hi0 ^ words[3] ^ np.uint64(b), lo0]
    return np.stack(words, axis=-1).astype(np.uint32)
