# Vectorised step that lets -inf minus -inf happen and turns the NaN exponentials into zeros.
def online_stats_by_chunk(chunks: Iterable[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    state = None
    for X in chunks:
        if state is None:
            state = (np.full(len(X), -np.inf, X.dtype), np.zeros(len(X), X.dtype))
        old, den = state
        new = np.maximum(old, np.max(X, axis=1))
        keep = np.nan_to_num(np.exp(old - new), nan=0.0)
        gain = np.nan_to_num(np.exp(X - new[:, None]), nan=0.0)
        state = new, keep * den + gain.sum(axis=1)
    return state
