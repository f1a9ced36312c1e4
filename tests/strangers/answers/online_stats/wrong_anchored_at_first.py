# Sums exponentials relative to the first unmasked element and converts the sum to the maximum once at the end: a later element more than 88 larger overflows (inf times 0 is NaN).
def online_stats(stream: Iterable[np.float32]) -> tuple[np.float32, np.float32]:
    anchor = None
    m, w = np.float32(-np.inf), np.float32(0)
    for x in stream:
        if x == -np.inf:
            continue
        if anchor is None:
            anchor = x
        m = max(m, x)
        w += np.exp(x - anchor)
    if anchor is None:
        return m, w
    return m, w * np.exp(anchor - m)
