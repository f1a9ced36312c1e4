# a heap of at most k pairs for every row, element by element, in plain Python
import heapq


def softmax_top_k(chunks: Iterable[np.ndarray], k: int) -> tuple[np.ndarray, np.ndarray]:
    heaps, offset = None, 0
    for chunk in chunks:
        if heaps is None:
            heaps = [[] for _ in chunk]
            top = np.full(len(chunk), -np.inf, dtype=chunk.dtype)
            total = np.zeros(len(chunk), dtype=chunk.dtype)
            dtype = chunk.dtype
        for r, row in enumerate(chunk):
            highest = max(top[r], row.max())
            if highest == -np.inf:
                continue
            total[r] = total[r] * np.exp(top[r] - highest) + np.exp(row - highest).sum()
            top[r] = highest
            for column, score in enumerate(row, offset):
                if score == -np.inf:
                    continue
                if len(heaps[r]) < k:
                    heapq.heappush(heaps[r], (score, column))
                elif score > heaps[r][0][0]:
                    heapq.heapreplace(heaps[r], (score, column))
        offset += chunk.shape[1]
    p = np.zeros((len(heaps), k), dtype=dtype)
    index = np.full((len(heaps), k), -1, dtype=np.int64)
    for r, heap in enumerate(heaps):
        for slot, (score, column) in enumerate(sorted(heap, reverse=True)):
            p[r, slot] = np.exp(score - top[r]) / total[r]
            index[r, slot] = column
    return p, index
