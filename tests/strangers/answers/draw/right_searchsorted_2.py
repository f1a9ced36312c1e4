# style: row by row with np.searchsorted and a generator, np.fromiter
import numpy as np


def draw(p: np.ndarray, index: np.ndarray, u: np.ndarray) -> np.ndarray:
    def one(weights, tokens, number) -> int:
        if not np.any(weights):
            return -1
        slot = int(np.searchsorted(weights.cumsum(dtype=np.float64), float(number), side="right"))
        if slot == len(weights):
            slot = int(np.flatnonzero(weights)[-1])
        return int(tokens[slot])

    return np.fromiter(map(one, p, index, u), dtype=np.int64, count=len(p))
