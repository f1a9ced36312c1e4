# right: one heap of (logit, column) per row, fed only with what beats its smallest entry; m and l beside it.
import heapq


def softmax_top_k(chunks: Iterable[np.ndarray], k: int) -> tuple[np.ndarray, np.ndarray]:
    rows, offset, dtype = None, 0, None
    for X in chunks:
        if rows is None:
            dtype = X.dtype
            rows = [{"m": -np.inf, "l": 0.0, "heap": []} for _ in X]
        for row, x in zip(rows, X):
            top = float(x.max())
            if top == -np.inf:
                continue
            m = max(row["m"], top)
            old = row["l"] * float(np.exp(row["m"] - m))
            row["l"] = old + float(np.exp(x - dtype.type(m)).sum())
            row["m"] = m
            heap = row["heap"]
            floor = heap[0][0] if len(heap) == k else -np.inf
            for j in np.flatnonzero(x > floor).tolist():
                entry = (float(x[j]), offset + j)
                if len(heap) < k:
                    heapq.heappush(heap, entry)
                elif entry > heap[0]:
                    heapq.heapreplace(heap, entry)
        offset += X.shape[1]
    p = np.zeros((len(rows), k), dtype)
    index = np.full((len(rows), k), -1, np.int64)
    for i, row in enumerate(rows):
        for slot, (value, column) in enumerate(sorted(row["heap"], reverse=True)):
            p[i, slot] = np.exp(value - row["m"]) / row["l"]
            index[i, slot] = column
    return p, index
