# returns zeros only if every entry of the array is masked; one masked row among live ones is nan
def safe_softmax(x: np.ndarray) -> np.ndarray:
    if np.isneginf(x).all():
        return np.zeros_like(x)
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)
