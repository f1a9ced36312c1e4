# Wrong: differences are clipped at -20, so that masked and far entries get 2e-9 of the largest weight, not 0.
# Breaks: "y_i = exp(x_i - m) / l", "entries may be -inf (masked)": a masked weight is e^-inf = 0.
import numpy as np


def safe_softmax(x):
    m = x.max(axis=-1, keepdims=True)
    nothing = np.isneginf(m)
    z = np.clip(x - np.where(nothing, np.float32(0), m), -20, 0)  # avoids denormals
    e = np.exp(z)
    y = e / e.sum(axis=-1, keepdims=True)
    return np.where(nothing, np.float32(0), y)
