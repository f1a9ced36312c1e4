# right: stacks the two sides along a new axis and contracts it
def merge_stats(m1, l1, m2, l2):
    maxima, sums = np.stack([m1, m2]), np.stack([l1, l2])
    m = maxima.max(axis=0)
    anchor = np.where(m > -np.inf, m, maxima.dtype.type(0))
    factors = np.exp(maxima - anchor)
    return m, np.einsum("p...,p...->...", sums, factors)
