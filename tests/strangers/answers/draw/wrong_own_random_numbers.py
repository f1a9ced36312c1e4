# draws with a generator of its own and does not use u
import numpy as np


def draw(p, index, u):
    rng = np.random.default_rng(0)
    out = []
    for shares, names in zip(p.astype(np.float64), index):
        total = shares.sum()
        out.append(int(rng.choice(names, p=shares / total)) if total else -1)
    return np.array(out)
