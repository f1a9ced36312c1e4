# Two ufuncs with out=, reusing one fresh buffer, and np.add.reduce for the denominator.
def naive_softmax(x: np.ndarray) -> np.ndarray:
    weights = np.exp(x)
    total = np.add.reduce(weights, axis=-1, keepdims=True)
    return np.divide(weights, total, out=weights)
