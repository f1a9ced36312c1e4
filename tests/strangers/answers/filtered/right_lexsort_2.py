# right: kept and new entries merged by lexsort on (logit descending, token); the knobs afterwards on k numbers in float64
def _best(logits, tokens, k):
    order = np.lexsort((tokens, -logits), axis=-1)[:, :k]
    return np.take_along_axis(logits, order, -1), np.take_along_axis(tokens, order, -1)


def _to_one(weights):
    total = weights.sum(axis=1, keepdims=True)
    return np.divide(weights, total, out=np.zeros_like(weights), where=total > 0)


def filtered(chunks, temperature, k, p):
    logits = tokens = None
    width = 0
    for chunk in chunks:
        rows, columns = chunk.shape
        if logits is None:
            logits = np.full((rows, k), -np.inf, np.float32)
            tokens = np.full((rows, k), np.iinfo(np.int64).max)
        new = np.tile(np.arange(width, width + columns), (rows, 1))
        width += columns
        logits, tokens = _best(np.hstack((logits, chunk)), np.hstack((tokens, new)), k)
    may = logits > -np.inf
    if temperature == 0:
        may &= np.arange(k) == 0
        weights = may.astype(np.float64)
    else:
        x = logits.astype(np.float64)
        below = np.subtract(x, x[:, :1], out=np.full_like(x, -np.inf), where=may)
        weights = np.exp(below / temperature)
    share = _to_one(weights)
    if p < 1:
        sums = np.cumsum(share, axis=1)
        may[:, 1:] &= sums[:, :-1] < p
        share = _to_one(np.where(may, share, 0.0))
    return share.astype(np.float32), np.where(may, tokens, -1)
