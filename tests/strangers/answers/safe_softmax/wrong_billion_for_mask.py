# Replaces -inf by -1e9 in a copy and zeroes only rows that are masked everywhere; a row whose real scores are near or below -1e9 gives its masked entries the weight.
def safe_softmax(x: np.ndarray) -> np.ndarray:
    hidden = np.isneginf(x)
    s = np.where(hidden, np.full_like(x, -1e9), x)
    s -= s.max(-1, keepdims=True)
    np.exp(s, out=s)
    s /= s.sum(-1, keepdims=True)
    s[hidden.all(-1)] = 0
    return s
