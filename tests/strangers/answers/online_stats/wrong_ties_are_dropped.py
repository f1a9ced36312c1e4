# handles x > m and x < m and forgets x == m, so repeated maxima count once
def online_stats(stream: Iterable[np.float32]) -> tuple[np.float32, np.float32]:
    m, l = np.float32(-np.inf), np.float32(0)
    for x in stream:
        if x > m:
            l = np.float32(1) + l * np.exp(m - x)
            m = x
        elif x < m:
            l = l + np.exp(x - m)
    return m, l
