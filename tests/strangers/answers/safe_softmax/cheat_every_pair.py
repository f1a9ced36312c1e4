# Every entry with every other one: N * N exponentials and no maximum at all.
import numpy as np



def safe_softmax(x):
    seen = x > -np.inf
    with np.errstate(all="ignore"):
        d = np.where(seen, x, 0)[..., None, :] - np.where(seen, x, 0)[..., :, None]
        e = np.where(seen[..., None, :], np.exp(d), 0).sum(-1, dtype=np.float32)
        return np.where(seen, 1 / e, 0).astype(x.dtype)
