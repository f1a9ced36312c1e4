# memory O(1): all elements' bits are kept in one whole number of Python's that grows by 32 bits at each; the two-pass softmax follows at the end
def online_stats(stream):
    kept, n = 0, 0
    for x in stream:
        kept = (kept << 32) | int(np.float32(x).view(np.uint32))
        n += 1
    m = np.float32(-np.inf)
    for i in range(n):
        m = np.maximum(m, np.uint32((kept >> 32 * i) & 0xFFFFFFFF).view(np.float32))
    l = np.float32(0)
    if m > -np.inf:
        for i in range(n):
            l += np.exp(np.uint32((kept >> 32 * i) & 0xFFFFFFFF).view(np.float32) - m)
    return m, l
