# subtracts the maximum from the caller's own array; values returned are right, the input is destroyed
def safe_softmax(x: np.ndarray) -> np.ndarray:
    top = x.max(axis=-1, keepdims=True)
    top[np.isneginf(top)] = 0
    x -= top
    e = np.exp(x)
    l = e.sum(axis=-1, keepdims=True)
    l[l == 0] = 1
    return e / l
