# Right: recursion over halves of the columns, each returning (maximum, sum measured from it), merged on the way up.
def log_sum_exp(x: np.ndarray) -> np.ndarray:
    def factor(a, b):
        """exp(a - b) for a <= b, 0 where a is -inf."""
        empty = np.isneginf(a)
        return np.where(empty, np.float32(0), np.exp(np.where(empty, np.float32(0), a - b)))

    def halves(part):
        n = part.shape[-1]
        if n == 1:
            only = part[..., 0]
            return only, np.where(np.isneginf(only), 0, 1).astype(x.dtype)
        m1, l1 = halves(part[..., : n // 2])
        m2, l2 = halves(part[..., n // 2 :])
        m = np.maximum(m1, m2)
        return m, l1 * factor(m1, m) + l2 * factor(m2, m)

    m, l = halves(x)
    return (m + np.log(l)).astype(x.dtype)
