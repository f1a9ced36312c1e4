# One column after the other with the branch form of the recurrence, by boolean indexing, sums in float64.
def online_stats_by_chunk(chunks):
    m = l = None
    for X in chunks:
        if m is None:
            m = np.full(X.shape[0], -np.inf, dtype=np.float32)
            l = np.zeros(X.shape[0], dtype=np.float64)
        for j in range(X.shape[1]):
            x = X[:, j]
            higher = x > m
            l[higher] = l[higher] * np.exp(m[higher].astype(np.float64) - x[higher]) + 1.0
            m[higher] = x[higher]
            others = ~higher & (x > -np.inf)
            l[others] += np.exp(x[others].astype(np.float64) - m[others])
    return m, l.astype(np.float32)
