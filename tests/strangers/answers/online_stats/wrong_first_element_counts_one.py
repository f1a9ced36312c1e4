# starts from the first element with l = 1 even if it is masked; a fully masked row gives (-inf, 1)
def online_stats(stream: Iterable[np.float32]) -> tuple[np.float32, np.float32]:
    elements = iter(stream)
    m, l = next(elements), np.float32(1)
    for x in elements:
        if x == -np.inf:
            continue
        m_new = max(m, x)
        l = l * np.exp(m - m_new) + np.exp(x - m_new)
        m = m_new
    return m, l
