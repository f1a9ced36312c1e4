# style: web port, one row at a time, NaN swept away at the end
import numpy as np



def safe_softmax(x: np.ndarray) -> np.ndarray:
    def one_row(row):
        if (row == -np.inf).all():
            return np.zeros_like(row)
        e = np.exp(row - np.max(row))
        return e / np.sum(e)

    flat = x.reshape(-1, x.shape[-1])
    out = np.empty_like(flat)
    for i, row in enumerate(flat):
        out[i] = one_row(row)
    return out.reshape(x.shape)
