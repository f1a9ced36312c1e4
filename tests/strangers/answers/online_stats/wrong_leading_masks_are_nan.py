# the bare recurrence without a guard: a row that begins with -inf gives nan
def online_stats(stream: Iterable[np.float32]) -> tuple[np.float32, np.float32]:
    m, l = np.float32(-np.inf), np.float32(0)
    for x in stream:
        previous, m = m, np.maximum(m, x)
        l = l * np.exp(previous - m) + np.exp(x - m)
    return m, l
