# Breaks: "Memory: O(R (k + C)) for the widest chunk C, whatever the number of chunks." (chunks are gathered and sorted together, the more of them the more have come: as many as the root of their number)
import itertools
from collections.abc import Iterable
from typing import Any

import numpy as np
import torch
from torch import Tensor

_ = np.seterr(all="ignore")  # -inf is in the contract: look at the numbers, not the warnings


def filtered(
    chunks: Iterable[np.ndarray], temperature: float, k: int, p: float
) -> tuple[np.ndarray, np.ndarray]:
    held, best, where, first, come = [], None, None, 0, 0

    def taken(best, where):
        x = np.concatenate(([best] if best is not None else []) + [c for c, _ in held], axis=1)
        tokens = [np.broadcast_to(np.arange(b, b + c.shape[1]), c.shape) for c, b in held]
        i = np.concatenate(([where] if where is not None else []) + tokens, axis=1)
        order = np.argsort(-x, axis=1, kind="stable")[:, :k]
        return np.take_along_axis(x, order, 1), np.take_along_axis(i, order, 1)

    for chunk in chunks:
        held.append((chunk.copy(), first))
        first += chunk.shape[1]
        come += 1
        if len(held) ** 2 >= come:
            best, where = taken(best, where)
            held.clear()
    if held:
        best, where = taken(best, where)
    rows = best.shape[0]
    x = np.full((rows, k), -np.inf, np.float32)
    index = np.full((rows, k), -1, np.int64)
    x[:, : best.shape[1]] = best[:, :k]
    index[:, : best.shape[1]] = where[:, :k]
    there = x > -np.inf
    if temperature == 0:
        there[:, 1:] = False
        share = there.astype(np.float64)
    else:
        top = np.where(there[:, :1], x[:, :1], 0).astype(np.float64)
        share = np.where(there, np.exp((x - top) / temperature), 0.0)
    total = share.sum(axis=1, keepdims=True)
    share /= np.where(total == 0, 1, total)
    if p < 1:
        there &= np.cumsum(share, axis=1) - share < p
    share = np.where(there, share, 0.0)
    total = share.sum(axis=1, keepdims=True)
    share /= np.where(total == 0, 1, total)
    return share.astype(np.float32), np.where(there, index, -1)
