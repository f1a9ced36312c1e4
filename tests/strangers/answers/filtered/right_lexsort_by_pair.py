# two keys for each entry, its logit and its token, and probabilities in logarithms
def filtered(
    chunks: Iterable[np.ndarray], temperature: float, k: int, p: float
) -> tuple[np.ndarray, np.ndarray]:
    kept, token, begin = None, None, 0
    for chunk in chunks:
        rows, width = chunk.shape
        new = np.tile(np.arange(begin, begin + width, dtype=np.int64), (rows, 1))
        begin += width
        kept = chunk if kept is None else np.hstack((kept, chunk))
        token = new if token is None else np.hstack((token, new))
        order = np.lexsort((token, -kept), axis=-1)[:, :k]
        kept, token = np.take_along_axis(kept, order, -1), np.take_along_axis(token, order, -1)
    lack = k - kept.shape[1]
    if lack > 0:
        kept = np.pad(kept, ((0, 0), (0, lack)), constant_values=-np.inf)
        token = np.pad(token, ((0, 0), (0, lack)), constant_values=-1)
    there = np.isfinite(kept)
    top = np.where(there[:, :1], kept[:, :1], 0).astype(np.float64)
    if temperature > 0:
        with np.errstate(all="ignore"):
            logp = (kept - top) / np.float64(temperature)
    else:
        there = there & (np.arange(k) == 0)
        logp = np.where(there, 0.0, -np.inf)
    weight = np.exp(np.where(there, logp, -np.inf))
    total = weight.sum(-1, keepdims=True)
    total[total == 0] = 1
    if p < 1:
        below = np.hstack((np.zeros((len(kept), 1)), np.cumsum(weight / total, -1)[:, :-1]))
        there &= below < p
        weight = weight * there
        total = weight.sum(-1, keepdims=True)
        total[total == 0] = 1
    return (weight / total).astype(np.float32), np.where(there, token, -1)
