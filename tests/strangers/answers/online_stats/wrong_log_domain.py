# Carries the log-sum-exp L in float32 and returns exp(L - m) as the denominator, which rounds log l away where scores are large (some percent off at 1e6, l = 1 or e at 1e7).
def online_stats(stream: Iterable[np.float32]) -> tuple[np.float32, np.float32]:
    m = L = np.float32(-np.inf)
    for x in stream:
        if np.isneginf(x):
            continue
        m = max(m, x)
        hi, lo = max(L, x), min(L, x)
        L = hi + np.log1p(np.exp(lo - hi))
    if np.isneginf(m):
        return m, np.float32(0)
    return m, np.exp(L - m)
