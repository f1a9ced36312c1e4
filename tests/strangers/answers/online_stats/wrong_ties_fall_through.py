# Has a branch for larger and one for smaller elements and none for equal ones: every repetition of the running maximum is lost from l (constant rows give l = 1).
def online_stats(stream: Iterable[np.float32]) -> tuple[np.float32, np.float32]:
    m = np.float32(-np.inf)
    l = np.float32(0.0)
    for x in stream:
        if x > m:
            l *= np.exp(m - x)
            l += np.float32(1.0)
            m = x
        elif x < m:
            l += np.exp(x - m)
    return m, l
