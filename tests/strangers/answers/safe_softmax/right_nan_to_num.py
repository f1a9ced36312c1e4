# Lets the fully masked rows become NaN (nothing else can) and turns these into zeros at the end.
def safe_softmax(x: np.ndarray) -> np.ndarray:
    with np.errstate(all="ignore"):
        p = x - np.max(x, axis=-1, keepdims=True)
        np.exp(p, out=p)
        p /= p.sum(axis=-1, keepdims=True)
    return np.nan_to_num(p, copy=False, nan=0.0)
