# breaks: "results are new memory" (sixteen buffers of each shape take turns: the seventeenth result overwrites the first)
import numpy as np

_kept = {}


def naive_softmax(x: np.ndarray) -> np.ndarray:
    ring = _kept.setdefault(x.shape, [])
    if len(ring) < 16:
        y = np.empty(x.shape, x.dtype)
    else:
        y = ring.pop(0)
    ring.append(y)
    np.exp(x, out=y)
    y /= y.sum(axis=-1, keepdims=True)
    return y
