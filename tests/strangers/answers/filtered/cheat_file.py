# memory: writes all logits into a file and sorts them from there
def filtered(
    chunks: Iterable[np.ndarray], temperature: float, k: int, p: float
) -> tuple[np.ndarray, np.ndarray]:
    import tempfile
    with tempfile.TemporaryFile() as file:
        shapes = []
        for chunk in chunks:
            file.write(np.ascontiguousarray(chunk).tobytes())
            shapes.append(chunk.shape)
        file.seek(0)
        best, index, offset = None, None, 0
        x = np.concatenate([np.frombuffer(file.read(4 * r * c), np.float32).reshape(r, c) for r, c in shapes], 1)
    index = np.argsort(-x, axis=1, kind="stable")[:, :k]
    best = np.take_along_axis(x, index, 1)
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
