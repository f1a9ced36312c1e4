# Wrong: top-p goes by probabilities of the whole vocabulary, not of the k that stay.
# Breaks: "3. p > 0: of these, in descending order and with a sum of 1, those stay before which the sum is below p".
from collections.abc import Iterable

import numpy as np


def filtered(
    chunks: Iterable[np.ndarray], temperature: float, k: int, p: float
) -> tuple[np.ndarray, np.ndarray]:
    """The tokens that may be said next and their probabilities, in one pass over the logits.

    chunks: yields arrays (R, C) float32 of logits, the same R rows each time, C >= 1, not all
    equally wide; it can be read once. Column j of the whole row is token j. Entries may be -inf
    (masked); equal ones stand in the order of their tokens.
    1. temperature >= 0: logits are divided by it. At 0 only the largest one stays.
    2. k >= 1: the k largest stay.
    3. p > 0: of these, in descending order and with a sum of 1, those stay before which the sum
    is below p, in float32 or wider; all of them if p is 1 or more.
    Returns probabilities (R, k), same dtype, in descending order and with a sum of 1 again, and
    index (R, k) int64, their tokens. A slot for which no token stays holds 0 and -1; a token
    that stays keeps its index where its probability underflows to 0.
    Memory: O(R (k + C)) for the widest chunk C, whatever the number of chunks.
    It stays within numpy and Python. Arguments stay as they are, and results are new
    memory.
    """
    top = None
    for X in chunks:
        X = X.astype(np.float32) / np.float32(temperature) if temperature > 0 else X
        if top is None:
            R, seen = len(X), 0
            top = np.full((R, k), -np.inf, np.float32)
            index = np.full((R, k), -1, np.int64)
            m, l = np.full(R, -np.inf, np.float32), np.zeros(R, np.float32)
        m_new = np.maximum(m, X.max(axis=1))
        shift = np.where(np.isneginf(m_new), np.float32(0), m_new)
        l = l * np.exp(m - shift) + np.exp(X - shift[:, None]).sum(axis=1)
        m = m_new
        both = np.concatenate([top, X], axis=1)
        columns = np.broadcast_to(np.arange(seen, seen + X.shape[1]), X.shape)
        where = np.concatenate([index, columns], axis=1)
        order = np.argsort(-both, axis=1, kind="stable")[:, :k]
        top, index = np.take_along_axis(both, order, axis=1), np.take_along_axis(where, order, axis=1)
        seen += X.shape[1]
    shift = np.where(np.isneginf(m), np.float32(0), m)
    P = np.exp(top - shift[:, None]) / np.where(l == 0, np.float32(1), l)[:, None]
    stays = (np.cumsum(P, axis=1) - P < p) | (p >= 1)
    stays &= ~np.isneginf(top)
    if temperature == 0:
        stays[:, 1:] = False
    P = np.where(stays, P, np.float32(0))
    total = P.sum(axis=1, keepdims=True)
    return P / np.where(total == 0, np.float32(1), total), np.where(stays, index, -1)
