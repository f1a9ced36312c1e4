# Compares in three ways (larger, smaller, and equal, which it uses to skip -inf against the initial -inf), so further elements equal to the running maximum are not counted: rows whose maximum occurs twice.
def online_stats(stream: Iterable[np.float32]) -> tuple[np.float32, np.float32]:
    m = np.float32(-np.inf)
    l = np.float32(0)
    for x in stream:
        if x > m:
            l = l * np.exp(m - x) + np.float32(1)
            m = x
        elif x < m:
            l = l + np.exp(x - m)
    return m, l
