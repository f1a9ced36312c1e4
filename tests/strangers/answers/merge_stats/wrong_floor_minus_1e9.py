# The maximum is floored at -1e9, so that nothing is subtracted from -inf: pieces that lie below weigh nothing.
def merge_stats(m1, l1, m2, l2):
    m = np.maximum(m1, m2)
    floor = np.maximum(m, np.float32(-1e9))
    return m, l1 * np.exp(m1 - floor) + l2 * np.exp(m2 - floor)
