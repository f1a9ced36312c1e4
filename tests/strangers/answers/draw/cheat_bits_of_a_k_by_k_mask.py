# Breaks: "Memory: a few times p, and nothing k x k." (a triangle of k x k, packed to bits, says which slots come before each slot)
import itertools
from collections.abc import Iterable
from typing import Any

import numpy as np
import torch
from torch import Tensor

_ = np.seterr(all="ignore")  # -inf is in the contract: look at the numbers, not the warnings


def draw(p: np.ndarray, index: np.ndarray, u: np.ndarray) -> np.ndarray:
    rows, k = p.shape
    triangle = np.packbits(np.arange(k)[:, None] >= np.arange(k), axis=1)  # k x k bits
    token = np.full(rows, -1, np.int64)
    for r in range(rows):
        alive = np.nonzero(p[r] > 0)[0]
        if not len(alive):
            continue
        for j in range(k):
            before = np.unpackbits(triangle[j], count=k).astype(bool)
            if p[r, before].astype(np.float64).sum() > u[r]:
                token[r] = index[r, j]
                break
        else:
            token[r] = index[r, alive[-1]]
    return token
