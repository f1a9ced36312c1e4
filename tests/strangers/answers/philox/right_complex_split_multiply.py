# 16-bit halves in uint32 instead of a 64-bit product.
import numpy as np


def philox(counter: np.ndarray, key: np.ndarray, rounds: int = 10) -> np.ndarray:
    def wide(a, m):
        a = a.astype(np.uint64) * np.uint64(m)
        return (a >> np.uint64(32)).astype(np.uint32), (a & np.uint64(0xFFFFFFFF)).astype(np.uint32)

    c = [counter[..., i].astype(np.uint32) for i in range(4)]
    for r in range(rounds):
        k0 = np.uint32((int(key[0]) + r * 0x9E3779B9) % 2**32)
        k1 = np.uint32((int(key[1]) + r * 0xBB67AE85) % 2**32)
        (h0, l0), (h1, l1) = wide(c[0], 0xD2511F53), wide(c[2], 0xCD9E8D57)
        c = [h1 ^ c[1] ^ k0, l1, h0 ^ c[3] ^ k1, l0]
    return np.stack(c, -1)
