# starts the maximum at -1e4 and repairs only the empty result; rows whose scores all lie below -1e4 come out as fully masked
def online_stats(stream: Iterable[np.float32]) -> tuple[np.float32, np.float32]:
    m, l = np.float32(-1e4), np.float32(0)
    for x in stream:
        new = np.maximum(m, x)
        l = l * np.exp(m - new) + np.exp(x - new)
        m = new
    if l == 0:
        m = np.float32(-np.inf)
    return m, l
