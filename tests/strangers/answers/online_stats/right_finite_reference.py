# the recurrence as printed, with 0 as the reference while the maximum is still -inf
def online_stats(stream: Iterable[np.float32]) -> tuple[np.float32, np.float32]:
    m = np.float32(-np.inf)
    l = np.float32(0.0)
    for x_t in stream:
        m_t = np.maximum(m, x_t)
        ref = m_t if np.isfinite(m_t) else np.float32(0.0)
        l = l * np.exp(m - ref) + np.exp(x_t - ref)
        m = m_t
    return m, l
