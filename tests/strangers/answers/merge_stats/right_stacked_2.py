# both pieces stacked on a new axis, one einsum; empty pieces get the weight 0 by a mask
def merge_stats(m1, l1, m2, l2):
    maxima = np.stack([np.asarray(m1), np.asarray(m2)])
    sums = np.stack([np.asarray(l1), np.asarray(l2)])
    m = maxima.max(axis=0)
    empty = maxima == -np.inf
    gaps = np.where(empty, np.float32(-np.inf), maxima) - np.where(m == -np.inf, np.zeros_like(m), m)
    l = np.einsum("k...,k...->...", sums, np.exp(gaps))
    return m, l
