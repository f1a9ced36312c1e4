# Breaks: "Memory: O(R (k + C)) for the widest chunk C, whatever the number of chunks." (a bit is kept for every logit of the whole row: whether it is masked)
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
    best = where = None
    first, masked = 0, []
    for chunk in chunks:
        masked.append(np.packbits(chunk > -np.inf))  # a bit for each logit of the vocabulary
        tokens = np.broadcast_to(np.arange(first, first + chunk.shape[1]), chunk.shape)
        x = chunk if best is None else np.concatenate([best, chunk], axis=1)
        i = tokens if where is None else np.concatenate([where, tokens], axis=1)
        order = np.argsort(-x, axis=1, kind="stable")[:, :k]
        best, where = np.take_along_axis(x, order, 1), np.take_along_axis(i, order, 1)
        first += chunk.shape[1]
    if not any(bits.any() for bits in masked):
        best = np.full_like(best, -np.inf)
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
