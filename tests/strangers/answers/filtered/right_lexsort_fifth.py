# right: candidates are ranked by lexsort (logit down, then token), and rows are filtered one by one in float64
def _row(values: np.ndarray, temperature: float, p: float) -> np.ndarray:
    """Probabilities of those first candidates of a row that stay; values fall."""
    if len(values) == 0:
        return values
    if temperature == 0:
        return np.ones(1)
    weights = np.exp((values - values[0]) / temperature)
    weights /= weights.sum()
    if p < 1:
        before = np.concatenate(([0.0], np.cumsum(weights)[:-1]))
        weights = weights[: int((before < p).sum())]
    return weights / weights.sum()


def filtered(
    chunks: Iterable[np.ndarray], temperature: float, k: int, p: float
) -> tuple[np.ndarray, np.ndarray]:
    """What may be said next, and how likely."""
    values = index = None
    offset = 0
    for chunk in chunks:
        rows, width = chunk.shape
        here = np.tile(np.arange(offset, offset + width, dtype=np.int64), (rows, 1))
        offset += width
        if values is not None:
            chunk = np.concatenate((values, chunk), axis=1)
            here = np.concatenate((index, here), axis=1)
        first = np.lexsort((here, -chunk))[:, :k]
        values = np.take_along_axis(chunk, first, axis=1)
        index = np.take_along_axis(here, first, axis=1)
    share = np.zeros((len(values), k), dtype=values.dtype)
    tokens = np.full((len(values), k), -1, dtype=np.int64)
    for r, row in enumerate(values.astype(np.float64)):
        kept = _row(row[row > -np.inf], temperature, p)
        share[r, : len(kept)] = kept
        tokens[r, : len(kept)] = index[r, : len(kept)]
    return share, tokens
