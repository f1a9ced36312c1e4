# Even and odd words as two arrays of two lanes each: one product per round, halves handed to the other lane by a flip.
def philox(counter: np.ndarray, key: np.ndarray, rounds: int = 10) -> np.ndarray:
    multiplier = np.array([0xD2511F53, 0xCD9E8D57], dtype=np.uint64)
    step = np.array([0x9E3779B9, 0xBB67AE85], dtype=np.uint64)
    low, width = np.uint64(0xFFFFFFFF), np.uint64(32)
    wide = counter.astype(np.uint64)
    even, odd = wide[..., 0::2], wide[..., 1::2]  # (c0, c2), (c1, c3)
    k = key.astype(np.uint64)
    for _ in range(rounds):
        product = multiplier * even
        hi, lo = product >> width, product & low
        even, odd = hi[..., ::-1] ^ odd ^ k, lo[..., ::-1]
        k = (k + step) & low
    words = np.empty(counter.shape, dtype=np.uint32)
    words[..., 0::2] = even.astype(np.uint32)
    words[..., 1::2] = odd.astype(np.uint32)
    return words
