# Starts from the first element as the pair (x, 1) even if that is -inf and then skips masked elements: a fully masked row gives (-inf, 1) in place of (-inf, 0).
def online_stats(stream: Iterable[np.float32]) -> tuple[np.float32, np.float32]:
    stream = iter(stream)
    m, l = next(stream), np.float32(1)
    for x in stream:
        if x == -np.inf:
            continue
        m_new = max(m, x)
        l = l * np.exp(m - m_new) + np.exp(x - m_new)
        m = m_new
    return m, l
