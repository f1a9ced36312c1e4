# Right: np.lexsort for the stable order, one pass that keeps the k best, then a staged pipeline of small functions
from collections.abc import Iterable

import numpy as np


def _best(chunks: Iterable[np.ndarray], k: int) -> tuple[np.ndarray, np.ndarray]:
    """The k largest logits of each row, in descending order, and their tokens; -inf and -1."""
    kept = tokens = None
    seen = 0
    for X in chunks:
        R, C = X.shape
        if kept is None:
            kept, tokens = np.full((R, k), -np.inf, X.dtype), np.full((R, k), -1, np.int64)
        names = np.where(X > -np.inf, np.arange(seen, seen + C), -1)
        kept, tokens = np.hstack([kept, X]), np.hstack([tokens, names])
        order = np.lexsort((np.arange(k + C) + np.zeros((R, 1), int), -kept), axis=1)[:, :k]
        kept, tokens = (np.take_along_axis(a, order, axis=1) for a in (kept, tokens))
        seen += C
    return kept, tokens


def _normalised(e: np.ndarray) -> np.ndarray:
    total = e.sum(axis=1, keepdims=True)
    return np.divide(e, total, out=np.zeros_like(e), where=total > 0)


def filtered(
    chunks: Iterable[np.ndarray], temperature: float, k: int, p: float
) -> tuple[np.ndarray, np.ndarray]:
    """The tokens that may be said next and their probabilities, in one pass over the logits."""
    z, tokens = _best(chunks, k)
    there = tokens >= 0
    top = np.where(there[:, :1], z[:, :1], 0)
    gap = np.where(there, z.astype(np.float64) - top, -np.inf)
    if temperature == 0:
        there = there & (np.arange(k) == 0)
        q = there.astype(np.float64)
    else:
        q = _normalised(np.exp(gap / temperature))
    if p < 1:
        before = np.pad(np.cumsum(q, axis=1)[:, :-1], ((0, 0), (1, 0)))
        there = there & (before < p)
        q = _normalised(np.where(there, q, 0.0))
    return q.astype(z.dtype), np.where(there, tokens, -1)
