# kept and new ones sorted by two keys, logit and token; p by searching for the first sum that reaches it
import numpy as np


def filtered(chunks, temperature, k, p):
    top = tok = None
    start = 0
    for chunk in chunks:
        r, c = chunk.shape
        ids = np.tile(np.arange(start, start + c, dtype=np.int64), (r, 1))
        both = chunk if top is None else np.hstack([top, chunk])
        names = ids if tok is None else np.hstack([tok, ids])
        best = np.stack([np.lexsort((n, -b))[:k] for b, n in zip(both, names)])
        top, tok = np.take_along_axis(both, best, 1), np.take_along_axis(names, best, 1)
        start += c
    r, c = top.shape
    if c < k:
        top = np.hstack([top, np.full((r, k - c), -np.inf, np.float32)])
        tok = np.hstack([tok, np.full((r, k - c), -1, np.int64)])
    out, names = np.zeros((r, k), np.float32), np.full((r, k), -1, np.int64)
    for i in range(r):
        n = int((top[i] > -np.inf).sum())
        if n == 0:
            continue
        if temperature == 0:
            n = 1
        e = np.exp((top[i, :n] - top[i, 0]) / (temperature if temperature > 0 else 1.0))
        if p < 1:
            n = min(n, int(np.searchsorted(np.cumsum(e / e.sum()), p)) + 1)
        out[i, :n], names[i, :n] = e[:n] / e[:n].sum(), tok[i, :n]
    return out, names
