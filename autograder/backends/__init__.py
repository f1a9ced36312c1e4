"""How the answers of each back end are called, read and compiled, and told from their starter: those of most of them as
Python's. What is counted of a call is what the back end's engine does, in `runner.engines`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..spec.exercise import Exercise
from .cuda import Cuda
from .python import Python
from .triton import Triton

PYTHON = Python()
OTHERS: dict[str, Python] = {"triton": Triton(), "cuda": Cuda()}


def backend_of(exercise: Exercise) -> Python:
    """The back end of the exercise."""
    return OTHERS.get(exercise.backend, PYTHON)


def function_from(exercise: Exercise, source: str, label: str) -> Callable[..., Any]:
    """The exercise's function compiled from another source; `label` names it in tracebacks."""
    return backend_of(exercise).function(exercise, source, label)
