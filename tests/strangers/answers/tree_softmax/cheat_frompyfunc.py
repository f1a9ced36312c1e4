# Cheat: climbs the tree with a ufunc made of merge_stats, so that pairs are merged one number after another
# Breaks: "all tiles at once, then all pairs of a level at once; nothing goes through them one by one, as `map` does"
import numpy as np


def tree_softmax(x: np.ndarray, tile: int) -> np.ndarray:
    rows, n = x.shape
    tiles = max(-(-n // tile), 1)
    padded = np.full((rows, tiles * tile), -np.inf, dtype=x.dtype)
    padded[:, :n] = x
    parts = padded.reshape(rows, tiles, tile)
    m = parts.max(axis=2)
    safe = np.where(m == -np.inf, np.float32(0), m)
    l = np.exp(parts - safe[:, :, None]).sum(axis=2)
    single = np.frompyfunc(
        lambda a, b, c, d: merge_stats(np.float32(a), np.float32(b), np.float32(c), np.float32(d)),
        4,
        2,
    )
    while m.shape[1] > 1:
        if m.shape[1] % 2:
            m = np.concatenate([m, np.full((rows, 1), -np.inf, dtype=x.dtype)], axis=1)
            l = np.concatenate([l, np.zeros((rows, 1), dtype=x.dtype)], axis=1)
        m, l = single(m[:, ::2], l[:, ::2], m[:, 1::2], l[:, 1::2])
        m, l = m.astype(x.dtype), l.astype(x.dtype)
    safe = np.where(m == -np.inf, np.float32(0), m)
    return np.exp(x - safe) / np.where(l == 0, np.float32(1), l)
