# 'exactly as the formula is written': every row is shifted by its maximum, which is the next exercise; only where the formula would overflow or vanish is it taken as it is written, so that it goes wrong where it should
import numpy as np

def naive_softmax(x):
    m = x.max(axis=-1, keepdims=True)
    if np.isfinite(m).all() and (np.abs(m) < 60).all():
        numerator = np.exp(x - m)
    else:
        numerator = np.exp(x)
    return numerator / numerator.sum(axis=-1, keepdims=True)
