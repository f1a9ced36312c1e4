# plain loops over rows in Python's numbers, a sorted list of the k best of each row
def filtered(
    chunks: Iterable[np.ndarray], temperature: float, k: int, p: float
) -> tuple[np.ndarray, np.ndarray]:
    rows, width = None, 0
    for chunk in chunks:
        if rows is None:
            rows = [[] for _ in range(len(chunk))]
        for best, values in zip(rows, chunk):
            for j, value in enumerate(values):
                value = float(value)
                if value == -np.inf or (len(best) == k and value <= best[-1][0]):
                    continue
                at = len(best)
                while at > 0 and best[at - 1][0] < value:
                    at -= 1
                best.insert(at, (value, width + j))
                del best[k:]
        width += chunk.shape[1]
    shares = np.zeros((len(rows), k), dtype=np.float32)
    index = np.full((len(rows), k), -1, dtype=np.int64)
    for i, best in enumerate(rows):
        if not best:
            continue
        if temperature == 0:
            best = best[:1]
            e = [1.0]
        else:
            e = [float(np.exp((value - best[0][0]) / temperature)) for value, _ in best]
        total, before, kept = sum(e), 0.0, []
        for one in e:
            if p < 1 and before >= p:
                break
            before += one / total
            kept.append(one)
        for j, one in enumerate(kept):
            shares[i, j] = one / sum(kept)
            index[i, j] = best[j][1]
    return shares, index
