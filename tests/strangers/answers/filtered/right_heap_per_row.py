# a heap for each row, keyed by (logit, -token), so that ties go to the lower token; the rest in float64
import heapq
import math

import numpy as np


def filtered(chunks, temperature, k, p):
    heaps, first = None, 0
    for chunk in chunks:
        if heaps is None:
            heaps = [[] for _ in range(len(chunk))]
        for heap, row in zip(heaps, chunk.tolist()):
            for j, x in enumerate(row):
                if x == -math.inf:
                    continue
                item = (x, -(first + j))
                if len(heap) < k:
                    heapq.heappush(heap, item)
                elif item > heap[0]:
                    heapq.heapreplace(heap, item)
        first += chunk.shape[1]
    probabilities = np.zeros((len(heaps), k), np.float32)
    index = np.full((len(heaps), k), -1, np.int64)
    for r, heap in enumerate(heaps):
        best = sorted(heap, reverse=True)
        if not best:
            continue
        if temperature == 0:
            best = best[:1]
        weights = [math.exp((x - best[0][0]) / (temperature or 1)) for x, _ in best]
        total, before, stay = sum(weights), 0.0, 0
        for w in weights:
            if p < 1 and before >= p:
                break
            before += w / total
            stay += 1
        for j in range(stay):
            probabilities[r, j] = weights[j] / sum(weights[:stay])
            index[r, j] = -best[j][1]
    return probabilities, index
