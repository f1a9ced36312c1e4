# array at a time: the even words are multiplied together, keys wrap around by themselves in uint32
def philox(counter: np.ndarray, key: np.ndarray, rounds: int = 10) -> np.ndarray:
    multipliers = np.array([0xD2511F53, 0xCD9E8D57], dtype=np.uint64)
    weyl = np.array([0x9E3779B9, 0xBB67AE85], dtype=np.uint32)
    words = counter.astype(np.uint32)
    key = key.astype(np.uint32)
    for _ in range(rounds):
        products = words[..., 0::2].astype(np.uint64) * multipliers
        upper = (products >> np.uint64(32)).astype(np.uint32)
        lower = (products & np.uint64(0xFFFFFFFF)).astype(np.uint32)
        mixed = np.empty_like(words)
        mixed[..., 0::2] = upper[..., ::-1] ^ words[..., 1::2] ^ key
        mixed[..., 1::2] = lower[..., ::-1]
        words = mixed
        key = key + weyl
    return words
