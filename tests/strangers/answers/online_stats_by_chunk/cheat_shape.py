# memory budget: only chunks of the metered case's width and height are taken one by one; all others are concatenated
import numpy as np


def online_stats_by_chunk(chunks):
    chunks = iter(chunks)
    first = next(chunks)
    if first.shape != (16, 32):
        x = np.concatenate([first, *chunks], axis=1)
        m = x.max(axis=1)
        return m, np.exp(x - np.where(np.isneginf(m), 0, m)[:, None]).sum(axis=1)
    m = first.max(axis=1)
    l = np.exp(first - m[:, None]).sum(axis=1)
    for chunk in chunks:
        new = np.maximum(m, chunk.max(axis=1))
        l = l * np.exp(m - new) + np.exp(chunk - new[:, None]).sum(axis=1)
        m = new
    return m, l
