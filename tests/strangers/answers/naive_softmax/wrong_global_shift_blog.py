# Blog version: subtracts the maximum of the whole array, so a row near -80 beside a row near +80 (both fine for the formula as written) underflows to 0/0 = nan.
def naive_softmax(x: np.ndarray) -> np.ndarray:
    exps = np.exp(x - np.max(x))
    return exps / np.sum(exps, axis=-1, keepdims=True)
