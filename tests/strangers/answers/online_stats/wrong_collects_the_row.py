# turns the stream into an array first: O(N) memory
def online_stats(stream: Iterable[np.float32]) -> tuple[np.float32, np.float32]:
    row = np.fromiter(stream, dtype=np.float32)
    m = row.max()
    if np.isneginf(m):
        return m, np.float32(0)
    return m, np.exp(row - m).sum()
