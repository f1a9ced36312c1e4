# lets a fully masked row become nan and turns those nans into zeros at the end
def safe_softmax(x: np.ndarray) -> np.ndarray:
    with np.errstate(invalid="ignore"):
        y = np.exp(x - x.max(axis=-1, keepdims=True))
        y /= y.sum(axis=-1, keepdims=True)
    return np.nan_to_num(y, copy=False, nan=0.0)
