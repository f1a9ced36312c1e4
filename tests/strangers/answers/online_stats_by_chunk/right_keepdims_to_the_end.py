# keepdims throughout, and drops the axis by index at the end
def online_stats_by_chunk(chunks):
    m = l = None
    for c in chunks:
        t = c.max(axis=1, keepdims=True)
        if m is None:
            m, l = np.full_like(t, -np.inf), np.zeros_like(t)
        n = np.maximum(m, t)
        r = np.where(n == -np.inf, 0, n)
        l = l * np.exp(m - r) + np.exp(c - r).sum(1, keepdims=True)
        m = n
    return (m.squeeze(), l.squeeze()) if len(m) > 1 else (m[0], l[0])
