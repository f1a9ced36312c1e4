# takes max(stream) and then sums over the stream again, which is exhausted by then
def online_stats(stream: Iterable[np.float32]) -> tuple[np.float32, np.float32]:
    m = max(stream)
    l = np.float32(0)
    for x in stream:
        l += np.exp(x - m)
    return m, l
