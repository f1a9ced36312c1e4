# Right: structural pattern matching on the shape and recursion over the leading axes
import numpy as np


def safe_softmax(x: np.ndarray) -> np.ndarray:
    """Softmax along the last axis, of scores of any size."""
    match x.shape:
        case (_,):
            visible = x > -np.inf
            match visible.any():
                case np.True_:
                    e = np.exp(x - x.max())
                    return e / e.sum()
                case _:
                    return np.zeros_like(x)
        case (0, *_):
            return x.copy()
        case (_, *_):
            return np.stack([safe_softmax(row) for row in x])
        case _:
            raise TypeError("at least one axis, please")
