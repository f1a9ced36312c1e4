# Cheat: the maximum of every chunk is kept in a list until the end, one number per row and chunk: what is kept grows with the number of chunks, thinly.
# Breaks: "Memory: O(R (k + C)) for the widest chunk C, whatever the number of chunks."
def filtered(
    chunks: Iterable[np.ndarray], temperature: float, k: int, p: float
) -> tuple[np.ndarray, np.ndarray]:
    top = index = None
    maxima, begin = [], 0
    for x in chunks:
        tokens = np.broadcast_to(np.arange(begin, begin + x.shape[1]), x.shape)
        begin += x.shape[1]
        maxima.append(x.max(axis=1))
        if top is not None:
            x = np.concatenate((top, x), axis=1)
            tokens = np.concatenate((index, tokens), axis=1)
        order = np.argsort(-x, axis=1, kind="stable")[:, :k]
        top, index = np.take_along_axis(x, order, 1), np.take_along_axis(tokens, order, 1)
    m = np.max(maxima, axis=0)[:, None]
    m = np.where(np.isfinite(m), m, 0)
    rows, kept = top.shape
    stays = top > -np.inf
    if temperature == 0:
        stays[:, 1:] = False
        w = stays.astype(np.float64)
    else:
        w = np.exp(np.where(stays, (top.astype(np.float64) - m) / temperature, -np.inf))
    share = w / np.maximum(w.sum(axis=1, keepdims=True), 1e-300)
    if p < 1:
        stays &= np.cumsum(share, axis=1) - share < p
        stays[:, 0] = top[:, 0] > -np.inf
        share = np.where(stays, share, 0)
        share /= np.maximum(share.sum(axis=1, keepdims=True), 1e-300)
    probabilities = np.zeros((rows, k), np.float32)
    places = np.full((rows, k), -1)
    probabilities[:, :kept] = np.where(stays, share, 0)
    places[:, :kept] = np.where(stays, index, -1)
    return probabilities, places
