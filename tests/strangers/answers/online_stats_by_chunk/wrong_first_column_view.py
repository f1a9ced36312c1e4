# Starts from the first column itself, a view of the caller's chunk: with a single chunk of width 1, m shares the argument's memory (and a generator that refills one buffer corrupts m).
from collections.abc import Iterable

import numpy as np


def online_stats_by_chunk(chunks: Iterable[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    m = None
    for c in chunks:
        if m is None:
            m = c[:, 0]
            l = (m > -np.inf).astype(c.dtype)
            c = c[:, 1:]
            if not c.shape[1]:
                continue
        new = np.maximum(m, c.max(axis=1))
        unit = np.where(new > -np.inf, new, np.zeros_like(new))
        l = l * np.exp(m - unit) + np.exp(c - unit[:, None]).sum(axis=1)
        m = new
    return m, l
