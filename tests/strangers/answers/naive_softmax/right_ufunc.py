# ufunc.reduce and out=, the way a signal-processing person writes numpy
def naive_softmax(x: np.ndarray) -> np.ndarray:
    weights = np.exp(x)
    total = np.add.reduce(weights, axis=-1, keepdims=True)
    return np.divide(weights, total, out=weights)
