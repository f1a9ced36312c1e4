# Works on np.ascontiguousarray(counter), which for a contiguous counter is the counter itself, and writes the rounds into it: returns the argument, overwritten, instead of new memory; a single call on fresh contiguous input compares equal.
def philox(counter: np.ndarray, key: np.ndarray, rounds: int = 10) -> np.ndarray:
    c = np.ascontiguousarray(counter, dtype=np.uint32)
    k0, k1 = int(key[0]), int(key[1])
    for _ in range(rounds):
        a = c[..., 2].astype(np.uint64) * np.uint64(0xCD9E8D57)
        b = c[..., 0].astype(np.uint64) * np.uint64(0xD2511F53)
        c[..., 0] = (a >> np.uint64(32)).astype(np.uint32) ^ c[..., 1] ^ np.uint32(k0)
        c[..., 2] = (b >> np.uint64(32)).astype(np.uint32) ^ c[..., 3] ^ np.uint32(k1)
        c[..., 1] = a.astype(np.uint32)
        c[..., 3] = b.astype(np.uint32)
        k0 = (k0 + 0x9E3779B9) & 0xFFFFFFFF
        k1 = (k1 + 0xBB67AE85) & 0xFFFFFFFF
    return c
