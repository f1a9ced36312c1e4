# the imports of the lesson's setup on top, of which it uses numpy alone
import numpy as np
import torch
import triton
import triton.language as tl
from torch import Tensor


def philox(counter: np.ndarray, key: np.ndarray, rounds: int = 10) -> np.ndarray:
    M0, M1 = 0xD2511F53, 0xCD9E8D57
    W0, W1 = 0x9E3779B9, 0xBB67AE85
    c0, c1, c2, c3 = np.moveaxis(counter.astype(np.uint64), -1, 0)
    k0, k1 = (int(word) for word in key)
    low = np.uint64(0xFFFFFFFF)
    for r in range(rounds):
        if r > 0:
            k0 = (k0 + W0) & 0xFFFFFFFF
            k1 = (k1 + W1) & 0xFFFFFFFF
        a, b = c0 * np.uint64(M0), c2 * np.uint64(M1)
        c0, c1, c2, c3 = (
            (b >> np.uint64(32)) ^ c1 ^ np.uint64(k0), b & low,
            (a >> np.uint64(32)) ^ c3 ^ np.uint64(k1), a & low,
        )
    return np.stack([c0, c1, c2, c3], axis=-1).astype(np.uint32)