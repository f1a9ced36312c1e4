# right: the state stands beside the chunk as one more column, whose weight is l where the others weigh 1
def online_stats_by_chunk(chunks):
    m = l = None
    for chunk in chunks:
        rows = chunk.shape[0]
        if m is None:
            m = np.full(rows, -np.inf, dtype=chunk.dtype)
            l = np.zeros(rows, dtype=chunk.dtype)
        scores = np.concatenate([m[:, None], chunk], axis=1)
        weights = np.ones_like(scores)
        weights[:, 0] = l
        m = np.amax(scores, axis=1)
        scores -= np.where(np.isneginf(m), 0, m).astype(chunk.dtype)[:, None]
        l = np.einsum("rc,rc->r", weights, np.exp(scores))
    return m, l
