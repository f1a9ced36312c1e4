# A loop over all positions with Python floats; the smaller pair is brought to the unit of the larger one.
def merge_stats(m1, l1, m2, l2):
    m1, l1, m2, l2 = (np.asarray(a) for a in (m1, l1, m2, l2))
    m, l = np.empty(m1.shape, m1.dtype), np.empty(m1.shape, m1.dtype)
    for at in np.ndindex(m1.shape):
        a, b = (float(m1[at]), float(l1[at])), (float(m2[at]), float(l2[at]))
        if a[0] < b[0]:
            a, b = b, a
        m[at] = a[0]
        l[at] = a[1] if b[0] == -np.inf else a[1] + b[1] * np.exp(b[0] - a[0])
    return m, l
