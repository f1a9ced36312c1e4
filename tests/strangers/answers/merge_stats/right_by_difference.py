# Right: the pair with the larger maximum stays, the other is scaled by exp(-|m1 - m2|).
def merge_stats(m1, l1, m2, l2):
    first = m1 >= m2
    high_m, high_l = np.where(first, m1, m2), np.where(first, l1, l2)
    low_m, low_l = np.where(first, m2, m1), np.where(first, l2, l1)
    gap = np.where(np.isneginf(low_m), low_m, low_m - high_m)
    return high_m, high_l + low_l * np.exp(gap)
