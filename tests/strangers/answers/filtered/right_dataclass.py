# Right: a dataclass of candidates with a merge method, then three small functions for the three knobs.
from dataclasses import dataclass

import numpy as np


@dataclass
class Candidates:
    logits: np.ndarray
    tokens: np.ndarray

    def merged(self, other: "Candidates", k: int) -> "Candidates":
        logits = np.concatenate([self.logits, other.logits], axis=1)
        tokens = np.concatenate([self.tokens, other.tokens], axis=1)
        best = np.argsort(-logits, axis=1, kind="stable")[:, :k]
        return Candidates(
            np.take_along_axis(logits, best, axis=1), np.take_along_axis(tokens, best, axis=1)
        )


def shares(logits, temperature):
    """Softmax of the kept logits, float64; at temperature 0 the first has it all."""
    if temperature == 0:
        one_hot = np.zeros(logits.shape)
        one_hot[:, 0] = logits[:, 0] > -np.inf
        return one_hot
    wide = logits.astype(np.float64)
    top = wide[:, :1]
    top = np.where(top == -np.inf, 0.0, top)
    with np.errstate(all="ignore"):
        e = np.exp((wide - top) / temperature)
        total = e.sum(axis=1, keepdims=True)
        return e / np.where(total == 0, 1.0, total)


def filtered(chunks, temperature, k, p):
    kept, start = None, 0
    for chunk in chunks:
        tokens = np.where(chunk == -np.inf, -1, np.arange(start, start + chunk.shape[1]))
        start += chunk.shape[1]
        if kept is None:
            rows = len(chunk)
            kept = Candidates(
                np.full((rows, k), -np.inf, np.float32), np.full((rows, k), -1, np.int64)
            )
        kept = kept.merged(Candidates(chunk, tokens), k)
    share = shares(kept.logits, temperature)
    stays = kept.tokens >= 0
    if temperature == 0:
        stays &= np.arange(k) == 0
    if p < 1:
        before = np.zeros_like(share)
        before[:, 1:] = np.cumsum(share, axis=1)[:, :-1]
        stays &= before < p
    share = np.where(stays, share, 0.0)
    total = share.sum(axis=1, keepdims=True)
    share = share / np.where(total == 0, 1.0, total)
    return share.astype(np.float32), np.where(stays, kept.tokens, -1)
