# row by row in plain Python: a heap of the k best (logit, -token) that lives through the pass, then sums of float64 numbers by math.fsum
import heapq
import math


def filtered(
    chunks: Iterable[np.ndarray], temperature: float, k: int, p: float
) -> tuple[np.ndarray, np.ndarray]:
    """The tokens that may be said next and their probabilities, in one pass over the logits."""
    heaps: list[list[tuple[float, int]]] = []
    first = 0
    for chunk in chunks:
        if not heaps:
            heaps = [[] for _ in range(len(chunk))]
        for heap, row in zip(heaps, chunk):
            for column in range(len(row)):
                logit = float(row[column])
                if logit == -math.inf:
                    continue
                item = (logit, -(first + column))  # of equal ones the earlier token is larger
                if len(heap) < k:
                    heapq.heappush(heap, item)
                elif item > heap[0]:
                    heapq.heapreplace(heap, item)
        first += chunk.shape[1]
    probabilities = np.zeros((len(heaps), k), dtype=np.float32)
    index = np.full((len(heaps), k), -1, dtype=np.int64)
    for heap, row, tokens in zip(heaps, probabilities, index):
        best = sorted(heap, reverse=True)
        if temperature == 0:
            best = best[:1]
        if not best:
            continue
        top = best[0][0]
        weights = [math.exp((x - top) / temperature) if x < top else 1.0 for x, _ in best]
        total = math.fsum(weights)
        stay, before = len(best), 0.0
        if p < 1:
            for stay, weight in enumerate(weights):
                if stay and before / total >= p:
                    break
                before += weight
            else:
                stay = len(best)
        kept = math.fsum(weights[:stay])
        row[:stay] = [weight / kept for weight in weights[:stay]]
        tokens[:stay] = [-token for _, token in best[:stay]]
    return probabilities, index
