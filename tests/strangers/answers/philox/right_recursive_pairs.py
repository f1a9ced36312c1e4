# Style: recursive, both pairs of words at once: products of (c2, c0), their halves by divmod.
import numpy as np


def philox(counter: np.ndarray, key: np.ndarray, rounds: int = 10) -> np.ndarray:
    factors = np.array([0xCD9E8D57, 0xD2511F53], dtype=np.uint64)
    steps = np.array([0x9E3779B9, 0xBB67AE85], dtype=np.uint64)
    modulus = np.uint64(2**32)

    def mixed(words, key, left):
        if left == 0:
            return words
        high, low = np.divmod(words[..., [2, 0]] * factors, modulus)
        new = np.empty_like(words)
        new[..., [0, 2]] = high ^ words[..., [1, 3]] ^ key
        new[..., [1, 3]] = low
        return mixed(new, (key + steps) % modulus, left - 1)

    # recursion in portions, so that many rounds do not run into Python's limit
    words, key = counter.astype(np.uint64), key.astype(np.uint64)
    for done in range(0, rounds, 100):
        portion = min(100, rounds - done)
        words = mixed(words, key, portion)
        key = (key + np.uint64(portion) * steps) % modulus
    return words.astype(np.uint32)
