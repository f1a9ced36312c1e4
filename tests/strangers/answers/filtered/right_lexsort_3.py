# np.lexsort with two keys for the ties; exclusive sums by shifting
def filtered(
    chunks: Iterable[np.ndarray], temperature: float, k: int, p: float
) -> tuple[np.ndarray, np.ndarray]:
    best = index = None
    seen = 0
    for chunk in chunks:
        rows, width = chunk.shape
        if best is None:
            best = np.full((rows, k), -np.inf, chunk.dtype)
            index = np.full((rows, k), -1, np.int64)
        tokens = np.broadcast_to(np.arange(seen, seen + width), (rows, width))
        values = np.concatenate([best, chunk], axis=1)
        numbers = np.concatenate([index, np.where(chunk > -np.inf, tokens, -1)], axis=1)
        order = np.lexsort((numbers, -values), axis=1)[:, :k]
        best, index = (np.take_along_axis(x, order, axis=1) for x in (values, numbers))
        seen += width

    stays = index >= 0
    top = np.where(stays[:, :1], best[:, :1], 0).astype(np.float64)
    behind = np.where(stays, best - top, -np.inf)  # float64, at most 0
    if temperature == 0:
        stays[:, 1:] = False
        weights = stays.astype(np.float64)
    else:
        weights = np.where(stays, np.exp(behind / temperature), 0.0)

    def shares(w: np.ndarray) -> np.ndarray:
        total = w.sum(axis=1, keepdims=True)
        return w / np.where(total > 0, total, 1.0)

    weights = shares(weights)
    if p < 1:
        before = np.zeros_like(weights)
        np.cumsum(weights[:, :-1], axis=1, out=before[:, 1:])
        stays &= before < p
        weights = shares(np.where(stays, weights, 0.0))
    return weights.astype(best.dtype), np.where(stays, index, -1)
