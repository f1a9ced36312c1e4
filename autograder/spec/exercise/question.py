"""A number that the learner predicts before running anything."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Quantity:
    """A number with its unit, and how far off, relative to it, a prediction may be."""

    value: float
    unit: str = ""
    rel: float = 0.0


@dataclass(frozen=True)
class Question:
    """A number that the learner predicts before running anything."""

    name: str
    ask: str
    answer: Quantity
    why: str
