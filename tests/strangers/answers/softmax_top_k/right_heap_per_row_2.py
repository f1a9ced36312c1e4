# A heap of k pairs (logit, column) for each row, and the pair (m, l) as Python floats.
def softmax_top_k(chunks, k):
    import heapq

    heaps, stats, at = None, None, 0
    for X in chunks:
        if heaps is None:
            heaps = [[] for _ in X]
            stats = [(-np.inf, 0.0) for _ in X]
        for r, row in enumerate(X):
            top = float(row.max())
            if top == -np.inf:
                continue
            m, l = stats[r]
            new = max(m, top)
            stats[r] = new, l * float(np.exp(m - new)) + float(np.exp(row - np.float32(new)).sum())
            heap = heaps[r]
            floor = heap[0][0] if len(heap) == k else -np.inf
            for j in np.flatnonzero(row > np.float32(floor)).tolist():
                entry = (float(row[j]), at + j)
                if len(heap) < k:
                    heapq.heappush(heap, entry)
                elif entry > heap[0]:
                    heapq.heapreplace(heap, entry)
        at += X.shape[1]
    p = np.zeros((len(heaps), k), dtype=np.float32)
    index = np.full((len(heaps), k), -1, dtype=np.int64)
    for r, heap in enumerate(heaps):
        m, l = stats[r]
        for slot, (logit, column) in enumerate(sorted(heap, reverse=True)):
            p[r, slot] = np.exp(logit - m) / l
            index[r, slot] = column
    return p, index
