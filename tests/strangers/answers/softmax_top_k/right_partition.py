# Right: argpartition keeps k of k + C at every chunk, one sort at the very end; masked entries carry the column -1.
def softmax_top_k(chunks, k):
    keep = None
    passed = 0
    for X in chunks:
        rows, width = X.shape
        if keep is None:
            total = np.zeros(rows, X.dtype)
            top = np.full(rows, -np.inf, X.dtype)
            keep = np.full((rows, k), -np.inf, X.dtype)
            where = np.full((rows, k), -1, np.int64)
        highest = np.maximum(top, X.max(axis=1))
        base = np.where(highest > -np.inf, highest, X.dtype.type(0))
        total = total * np.exp(top - base) + np.exp(X - base[:, None]).sum(axis=1)
        top = highest

        both = np.concatenate([keep, X], axis=1)
        numbers = np.arange(passed, passed + width, dtype=np.int64)[None]
        places = np.concatenate([where, np.where(X > -np.inf, numbers, -1)], axis=1)
        chosen = np.argpartition(both, width, axis=1)[:, width:]
        keep = np.take_along_axis(both, chosen, axis=1)
        where = np.take_along_axis(places, chosen, axis=1)
        passed += width
    order = np.argsort(keep, axis=1)[:, ::-1]
    keep, where = np.take_along_axis(keep, order, 1), np.take_along_axis(where, order, 1)
    base = np.where(top > -np.inf, top, top.dtype.type(0))[:, None]
    p = np.exp(keep - base)
    return p / np.where(total > 0, total, total.dtype.type(1))[:, None], where
