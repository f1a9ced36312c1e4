# Takes a row for fully masked as soon as its first entry is -inf (as if masks always were causal), so rows with left padding but visible later entries come out as zeros.
def safe_softmax(x: np.ndarray) -> np.ndarray:
    sees_nothing = np.isneginf(x[..., :1])
    m = x.max(axis=-1, keepdims=True)
    m = np.where(sees_nothing, np.zeros_like(m), m)
    e = np.exp(x - m)
    y = e / e.sum(axis=-1, keepdims=True)
    return np.where(sees_nothing, np.zeros_like(y), y)
