# collects at most eight elements before it updates the two numbers, constant memory
def online_stats(stream: Iterable[np.float32]) -> tuple[np.float32, np.float32]:
    m, l = np.float32(-np.inf), np.float32(0)
    buffer = np.full(8, -np.inf, dtype=np.float32)

    def flush(m, l):
        new = np.maximum(m, buffer.max())
        if np.isneginf(new):
            return m, l
        return new, l * np.exp(m - new) + np.exp(buffer - new).sum()

    filled = 0
    for x in stream:
        buffer[filled] = x
        filled += 1
        if filled == 8:
            m, l = flush(m, l)
            buffer[:] = -np.inf
            filled = 0
    return flush(m, l)
