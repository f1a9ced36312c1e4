# skips masked elements and branches: correct the sum at a new maximum, otherwise add a term
def online_stats(stream: Iterable[np.float32]) -> tuple[np.float32, np.float32]:
    m, l = np.float32(-np.inf), np.float32(0)
    for x in stream:
        if np.isneginf(x):
            continue
        if x > m:
            l = l * np.exp(m - x) + np.float32(1)
            m = x
        else:
            l = l + np.exp(x - m)
    return m, l
