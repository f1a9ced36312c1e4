# Takes a batch of heads apart by hand, head by head; with one more axis it takes heads for rows.
def safe_softmax(x):
    if x.ndim == 1:
        return safe_softmax(x[None])[0]
    if x.ndim == 3:
        return np.stack([safe_softmax(head) for head in x])
    m = x.max(axis=1, keepdims=True)
    e = np.exp(x - np.where(m == -np.inf, np.float32(0), m))
    l = e.sum(axis=1, keepdims=True)
    return e / np.where(l == 0, np.float32(1), l)
