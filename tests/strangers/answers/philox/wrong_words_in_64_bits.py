# Returns the right numbers as a uint64 array (the final astype was lost in the rewrite), where the contract says uint32; shows on every input by dtype alone, and in xor or bit counts with uint32 words not at all.
def philox(counter: np.ndarray, key: np.ndarray, rounds: int = 10) -> np.ndarray:
    multiplier = np.array([0xCD9E8D57, 0xD2511F53], dtype=np.uint64)
    step = np.array([0x9E3779B9, 0xBB67AE85], dtype=np.uint64)
    low, k = np.uint64(2**32 - 1), key.astype(np.uint64)
    words = counter.astype(np.uint64)
    for _ in range(rounds):
        product = words[..., [2, 0]] * multiplier
        words = np.stack([(product >> np.uint64(32)) ^ words[..., [1, 3]] ^ k, product & low], axis=-1)
        words = words.reshape(counter.shape)
        k = (k + step) & low
    return words
