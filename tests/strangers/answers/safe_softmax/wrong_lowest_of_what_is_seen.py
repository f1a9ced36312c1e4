# Puts a number 200 below the lowest unmasked score in place of -inf: an array with no unmasked score at all has no lowest.
def safe_softmax(x):
    hidden = np.isneginf(x)
    floor = x[~hidden].min().astype(np.float64)
    filled = np.where(hidden, floor - max(200.0, abs(floor) * 1e-6), x.astype(np.float64))
    e = np.exp(filled - filled.max(-1, keepdims=True)) * ~hidden
    s = e.sum(-1, keepdims=True)
    return (e / np.where(s > 0, s, 1)).astype(x.dtype)
