# Softmax over the k kept logits alone, as samplers do after top-k filtering: the probabilities sum to 1 over the k entries; right only when k covers all unmasked entries of the row.
def softmax_top_k(chunks: Iterable[np.ndarray], k: int) -> tuple[np.ndarray, np.ndarray]:
    keep = None
    start = 0
    for X in chunks:
        ids = np.broadcast_to(np.arange(start, start + X.shape[1]), X.shape)
        start += X.shape[1]
        if keep is None:
            keep = np.full((len(X), k), -np.inf, dtype=X.dtype)
            index = np.full((len(X), k), -1, dtype=np.int64)
        keep = np.concatenate([keep, X], axis=1)
        index = np.concatenate([index, ids], axis=1)
        order = np.argsort(-keep, axis=1, kind="stable")[:, :k]
        keep = np.take_along_axis(keep, order, axis=1)
        index = np.take_along_axis(index, order, axis=1)
    index[np.isneginf(keep)] = -1
    e = np.nan_to_num(np.exp(keep - keep[:, :1]))
    return e / np.maximum(e.sum(axis=1, keepdims=True), np.finfo(e.dtype).tiny), index
