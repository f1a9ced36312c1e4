# a tree of merges: pairs (m, l) of the left and the right half of the row, until one is left
def log_sum_exp(x: np.ndarray) -> np.ndarray:
    def pairs(m, l):
        n = m.shape[-1]
        if n == 1:
            return m[..., 0], l[..., 0]
        m1, l1 = pairs(m[..., : n // 2], l[..., : n // 2])
        m2, l2 = pairs(m[..., n // 2 :], l[..., n // 2 :])
        m = np.maximum(m1, m2)
        zero = np.where(m == -np.inf, np.zeros_like(m), m)
        return m, l1 * np.exp(m1 - zero) + l2 * np.exp(m2 - zero)

    m, l = pairs(x, np.ones_like(x))
    empty = m == -np.inf
    return np.where(empty, m, m + np.log(np.where(empty, np.ones_like(l), l)))[()]
