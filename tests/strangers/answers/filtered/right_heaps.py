# a heap of k (logit, token) pairs for each row, and plain Python sums with math.fsum
import heapq
import math


def filtered(chunks, temperature, k, p):
    heaps, offset = None, 0
    for chunk in chunks:
        if heaps is None:
            heaps = [[] for _ in range(chunk.shape[0])]
        for heap, row in zip(heaps, chunk):
            for column in np.flatnonzero(row > -np.inf).tolist():
                entry = (float(row[column]), -(offset + column))
                if len(heap) < k:
                    heapq.heappush(heap, entry)
                elif entry > heap[0]:
                    heapq.heapreplace(heap, entry)
        offset += chunk.shape[1]
    heaps = heaps or []
    share = np.zeros((len(heaps), k), dtype=np.float32)
    index = np.full((len(heaps), k), -1, dtype=np.int64)
    for r, heap in enumerate(heaps):
        kept = sorted(heap, reverse=True)
        if not kept:
            continue
        if temperature == 0:
            kept = kept[:1]
        largest = kept[0][0]
        weights = [math.exp((x - largest) / temperature) if x < largest else 1.0 for x, _ in kept]
        total, before, stay = math.fsum(weights), 0.0, []
        for weight, (_, minus) in zip(weights, kept):
            if p < 1 and before / total >= p:
                break
            stay.append((weight, -minus))
            before += weight
        total = math.fsum(weight for weight, _ in stay)
        for slot, (weight, token) in enumerate(stay):
            share[r, slot], index[r, slot] = weight / total, token
    return share, index
