# every chunk is taken apart into its columns, sums in float64, new terms and factors chosen by where
def _columns(chunks):
    for chunk in chunks:
        yield from chunk.T


def online_stats_by_chunk(chunks):
    m = l = None
    for x in _columns(chunks):
        x = x.astype(np.float64)
        if m is None:
            m, l = np.full(x.shape, -np.inf), np.zeros(x.shape)
        grows = x > m
        high, low = np.where(grows, x, m), np.where(grows, m, x)
        gap = np.exp(np.where(high == -np.inf, -np.inf, low - np.where(high == -np.inf, 0.0, high)))
        l = np.where(grows, l * gap + 1.0, l + gap)
        m = high
    return m.astype(np.float32), l.astype(np.float32)
