# A single row is unpacked as a plain number, and -inf - (-inf) there is NaN.
def log_sum_exp(x):
    if x.ndim == 1:
        m = max(x)
        return np.float32(m + np.log(sum(np.exp(t - m) for t in x)))
    m = x.max(-1)
    m[np.isneginf(m)] = 0
    return m + np.log(np.exp(x - m[..., None]).sum(-1))
