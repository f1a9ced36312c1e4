# p is applied to the probabilities at temperature 1, the temperature to what is left
def filtered(
    chunks: Iterable[np.ndarray], temperature: float, k: int, p: float
) -> tuple[np.ndarray, np.ndarray]:
    best = None
    offset = 0
    for chunk in chunks:
        R, C = chunk.shape
        tokens = np.broadcast_to(np.arange(offset, offset + C), (R, C))
        offset += C
        if best is None:
            x, index = chunk, tokens
        else:
            x, index = np.concatenate([best, chunk], 1), np.concatenate([index, tokens], 1)
        order = np.argsort(-x, axis=1, kind="stable")[:, :k]
        best = np.take_along_axis(x, order, 1)
        index = np.take_along_axis(index, order, 1)
    z = best.astype(np.float64)
    stays = z > -np.inf
    z = np.where(stays, z - z[:, :1], -np.inf)
    if temperature == 0:
        stays[:, 1:] = False
        e = np.where(stays, 1.0, 0.0)
    else:
        e = np.where(stays, np.exp(z / temperature), 0.0)
    one = np.where(stays, np.exp(z), 0.0)
    share = one / np.maximum(one.sum(1, keepdims=True), 1e-300)
    if p < 1:
        stays &= np.cumsum(share, 1) - share < p
    share = np.where(stays, e, 0.0)
    share = share / np.maximum(share.sum(1, keepdims=True), 1e-300)
    out = np.zeros((len(best), k), np.float32)
    slots = np.full((len(best), k), -1, np.int64)
    out[:, : best.shape[1]] = share
    slots[:, : best.shape[1]] = np.where(stays, index, -1)
    return out, slots
