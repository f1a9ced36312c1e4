# a heap per row (heapq), pure Python candidate handling, numpy only for the denominator
import heapq
from collections.abc import Iterable

import numpy as np


def softmax_top_k(chunks: Iterable[np.ndarray], k: int) -> tuple[np.ndarray, np.ndarray]:
    heaps: list[list[tuple]] = []
    start, m, l = 0, None, None
    for chunk in chunks:
        if m is None:
            heaps = [[] for _ in chunk]
            m = np.full(len(chunk), -np.inf, chunk.dtype)
            l = np.zeros(len(chunk), chunk.dtype)
        for r, row in enumerate(chunk):
            heap = heaps[r]
            for j, value in enumerate(row):
                if value == -np.inf:
                    continue
                if value > m[r]:
                    l[r] = l[r] * np.exp(m[r] - value) + 1
                    m[r] = value
                else:
                    l[r] += np.exp(value - m[r])
                item = (value, start + j)
                if len(heap) < k:
                    heapq.heappush(heap, item)
                elif item > heap[0]:
                    heapq.heapreplace(heap, item)
        start += chunk.shape[1]
    p = np.zeros((len(heaps), k), np.float32)
    index = np.full((len(heaps), k), -1, np.int64)
    for r, heap in enumerate(heaps):
        for slot, (value, column) in enumerate(sorted(heap, reverse=True)):
            p[r, slot] = np.exp(value - m[r]) / l[r]
            index[r, slot] = column
    return p, index
