# adds 1e-8 to the denominator; rows of legal low scores (all about -18 or below) do not sum to 1
def naive_softmax(x: np.ndarray) -> np.ndarray:
    numerator = np.exp(x)
    denominator = np.sum(numerator, axis=-1, keepdims=True) + 1e-8
    return numerator / denominator
