# right: a buffer of 64 numbers is filled and merged in vectorised steps, the state in Python floats
def online_stats(stream):
    buffer = np.full(64, -np.inf)
    m, l, used = -np.inf, 0.0, 0

    def flush(m, l):
        part = buffer[:used]
        top = max(m, float(part.max()))
        if top == -np.inf:
            return top, 0.0
        return top, l * float(np.exp(m - top)) + float(np.exp(part - top).sum())

    for x in stream:
        buffer[used] = x
        used += 1
        if used == 64:
            m, l = flush(m, l)
            used = 0
    if used:
        m, l = flush(m, l)
    return m, l
