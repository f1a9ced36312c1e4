# style: plain Python, a heap for each row, running sums by itertools.accumulate
import heapq
import itertools
import math
from collections.abc import Iterable

import numpy as np


def filtered(
    chunks: Iterable[np.ndarray], temperature: float, k: int, p: float
) -> tuple[np.ndarray, np.ndarray]:
    heaps, start = None, 0
    for chunk in chunks:
        heaps = heaps if heaps is not None else [[] for _ in chunk]
        for r, row in enumerate(chunk):
            new = ((-float(x), start + j) for j, x in enumerate(row) if x > -np.inf)
            heaps[r] = heapq.nsmallest(k, itertools.chain(heaps[r], new))
        start += chunk.shape[1]
    probabilities = np.zeros((len(heaps), k), np.float32)
    index = np.full((len(heaps), k), -1, np.int64)
    for r, kept in enumerate(heaps):
        if not kept:
            continue
        if temperature == 0:
            kept = kept[:1]
        weights = [math.exp(-(x - kept[0][0]) / temperature) if temperature else 1.0 for x, _ in kept]
        total = math.fsum(weights)
        before = [0.0, *itertools.accumulate(w / total for w in weights)]
        n = len(kept) if p >= 1 else sum(b < p for b in before[:-1])
        total = math.fsum(weights[:n])
        for slot in range(n):
            probabilities[r, slot] = weights[slot] / total
            index[r, slot] = kept[slot][1]
    return probabilities, index
