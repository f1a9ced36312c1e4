# explicit loop over all positions with three cases
def merge_stats(
    m1: np.ndarray, l1: np.ndarray, m2: np.ndarray, l2: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    m1, l1, m2, l2 = (np.asarray(a) for a in (m1, l1, m2, l2))
    m, l = np.empty_like(m1), np.empty_like(l1)
    for p in np.ndindex(m1.shape):
        if m1[p] == -np.inf:
            m[p], l[p] = m2[p], l2[p]
        elif m2[p] == -np.inf:
            m[p], l[p] = m1[p], l1[p]
        else:
            m[p] = max(m1[p], m2[p])
            l[p] = l1[p] * np.exp(m1[p] - m[p]) + l2[p] * np.exp(m2[p] - m[p])
    return m, l
