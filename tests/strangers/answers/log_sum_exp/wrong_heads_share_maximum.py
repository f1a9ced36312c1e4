# The maximum of a head, and not of a row, is subtracted: rows of one head that lie 100 apart underflow to -inf.
def log_sum_exp(x):
    m = x.max(axis=tuple(range(min(1, x.ndim - 1), x.ndim)), keepdims=True)
    m = np.where(m == -np.inf, 0, m)
    return m[..., 0] + np.log(np.exp(x - m).sum(-1))
