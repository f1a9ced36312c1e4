"""One object for each back end: how its answers are called, read and compiled, and told from their starter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..spec.exercise import Exercise
from .cuda import Cuda
from .python import Python
from .triton import Triton

BACKENDS: dict[str, Python] = {
    "numpy": Python(),
    "torch": Python(),
    "triton": Triton(),
    "cuda": Cuda(),
    "ranks": Python(),  # each rank is called as it is: see runner/ranks
}


def backend_of(exercise: Exercise) -> Python:
    """The back end of the exercise."""
    return BACKENDS[exercise.backend]


def function_from(exercise: Exercise, source: str, label: str) -> Callable[..., Any]:
    """The exercise's function compiled from another source; `label` names it in tracebacks."""
    return backend_of(exercise).function(exercise, source, label)
