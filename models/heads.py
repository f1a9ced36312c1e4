"""What the heads of a small trained model look at, as bench/trained_heads.py has kept it. Needs numpy alone."""

from __future__ import annotations

import json
from dataclasses import dataclass

import numpy as np

from autograder.spec.folders import MEASURED

KEPT = MEASURED.with_name("trained_heads.json")


@dataclass(frozen=True)
class TrainedHeads:
    """tokens: N pieces of a text that the model has not seen, behind the one that stands before every text.

    scores: (layers, heads, N, N) float32, before the softmax, -inf where masked. seconds: of its training.
    """

    tokens: list[str]
    scores: np.ndarray
    seconds: float


def trained_heads() -> TrainedHeads:
    found = json.loads(KEPT.read_text(encoding="utf-8"))
    n = len(found["tokens"])
    rows = [row + [-np.inf] * (n - len(row)) for layer in found["scores"] for head in layer for row in head]
    scores = np.array(rows, np.float32).reshape(len(found["scores"]), -1, n, n)
    return TrainedHeads(found["tokens"], scores, found["seconds"])
