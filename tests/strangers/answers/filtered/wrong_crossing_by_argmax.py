# the first sum that reaches p is looked for with argmax, which says 0 where none does: with p above 1 the likeliest alone stays
def filtered(chunks, temperature, k, p):
    best = place = None
    seen = 0
    for chunk in chunks:
        R, C = chunk.shape
        if best is None:
            best, place = np.full((R, k), -np.inf, chunk.dtype), np.full((R, k), -1)
        x = np.hstack([best, chunk])
        j = np.hstack([place, np.broadcast_to(np.arange(seen, seen + C), (R, C))])
        order = np.argsort(-x, axis=1, kind="stable")[:, :k]
        best, place = np.take_along_axis(x, order, 1), np.take_along_axis(j, order, 1)
        seen += C
    alive = best > -np.inf
    if temperature == 0:
        alive[:, 1:] = False
        temperature = 1
    top = np.where(alive[:, :1], best[:, :1], 0)
    w = np.where(alive, np.exp((best - top) / temperature), 0)
    w = w / np.maximum(w.sum(1, keepdims=True), 1)
    if p != 1:
        last = np.argmax(np.cumsum(w, axis=1) >= min(p, 1 - 1e-6) if p < 1 else np.cumsum(w, axis=1) >= p, axis=1)
        alive &= np.arange(k) <= last[:, None]
    w = np.where(alive, w, 0)
    return (w / np.maximum(w.sum(1, keepdims=True), 1e-30)).astype(best.dtype), np.where(alive, place, -1)
