"""One call of an exercise's function, and the situations in which attention code breaks."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Arguments = dict[str, Any]

# The situations in which attention code breaks. An exercise covers each with a case or says in `without` why not.
REGIMES = {
    "single": "one row, one element",
    "ragged": "the length is not a multiple of the tile",
    "rising max": "the maximum grows in every tile",
    "large positive": "large positive logits, where exp overflows",
    "very negative": "very negative logits, where every exp underflows",
    "masked row": "a fully masked row: output 0, log-sum-exp -inf, no NaN",
    "cross": "N_q != N_k, causal mask aligned bottom-right",
    "strided": "inputs that are not contiguous",
    "grouped": "a query:KV head ratio that is not a power of two",
}
# The regimes of the situations that have one key in all exercises.
REGIMES_OF = {
    "single": ("single",),
    "ragged": ("ragged",),
    "rising": ("rising max",),
    "large-positive": ("large positive",),
    "outlier": ("large positive",),
    "very-negative": ("very negative",),
    "far-below": ("very negative",),
    "billions-below": ("very negative",),
    "fully-masked": ("masked row",),
    "all-masked": ("masked row",),
    "cross": ("cross",),
    "strided": ("strided",),
    "strided-memory": ("strided",),
    "wide-heads": ("strided",),
    "grouped": ("grouped",),
}
NO_SOFTMAX = "no softmax is taken here"  # the reason in `Exercise.without` of whatever takes none


# What cases and mistakes are called by.
KEY = re.compile(r"(?=.{1,28}$)[a-z0-9]+(-[a-z0-9]+)*")
A_KEY = "made of lower-case words joined by hyphens, with at most 28 letters"


@dataclass(frozen=True)
class Case:
    """One call of the function. `name` is a sentence that the learner reads when the case fails.

    `key` is what everything else calls the case by, the seed of its inputs included, so that the sentence may change:
    lower-case words joined by hyphens, unique in the exercise, and the same in all exercises for the same situation.
    `draw` makes the keyword arguments from a seeded generator: numpy arrays, numbers, None, a `Stream`, or
    `Earlier` tokens to attend to.
    `also`: its regimes, besides those of its key.
    `tile` is the (rows, columns) grid drawn over the map of the output's error. `budget` cases are
    made for what the exercise bounds.
    """

    key: str
    name: str
    draw: Callable[[np.random.Generator], Arguments]
    also: tuple[str, ...] = ()
    tile: tuple[int, int] | None = None
    budget: bool = False

    @property
    def regimes(self) -> tuple[str, ...]:
        """The REGIMES that it belongs to."""
        return (*REGIMES_OF.get(self.key, ()), *self.also)
