# a class with preallocated buffers, every operation in place through out=, keyword arguments
import numpy as np


class Stats:
    def __init__(self, rows, dtype):
        self.m = np.full(shape=rows, fill_value=-np.inf, dtype=dtype)
        self.l = np.zeros(shape=rows, dtype=dtype)
        self.base = np.empty(shape=rows, dtype=dtype)

    def take(self, chunk):
        new = np.maximum.reduce(chunk, axis=1)
        np.maximum(new, self.m, out=new)
        self.base[...] = new
        self.base[np.isneginf(new)] = 0
        np.subtract(self.m, self.base, out=self.m)
        np.exp(self.m, out=self.m)
        self.l *= self.m
        work = chunk - self.base[:, None]
        np.exp(work, out=work)
        self.l += np.add.reduce(work, axis=1)
        self.m = new


def online_stats_by_chunk(chunks):
    stats = None
    for chunk in chunks:
        if stats is None:
            stats = Stats(rows=chunk.shape[0], dtype=chunk.dtype)
        stats.take(chunk=chunk)
    return stats.m, stats.l
