"""The ladder of hints of an exercise."""

from __future__ import annotations

from ...spec.exercise import Exercise
from ..markup import details, prose

RUNGS = ("the idea", "where to look", "the step with numbers", "the code")


def label(exercise: Exercise, rung: int) -> str:
    """The name of a rung, e.g. "Hint 2 of 4: where to look"."""
    kind = f": {RUNGS[rung - 1]}" if len(exercise.ladder) == len(RUNGS) else ""
    return f"Hint {rung} of {len(exercise.ladder)}{kind}"


def asking(name: str, rung: int | None, in_terminal: bool) -> str:
    """What shows a rung of an exercise, or the next one: a call in a notebook, or a command in a terminal."""
    which = [name] if rung is None else [name, str(rung)]
    return f"`tilewise hint {' '.join(which)}`" if in_terminal else f"hint({', '.join(which)})"


def ladder(exercise: Exercise, only_first: bool = False) -> str:
    """The rungs as folds, each inside the one before it, so that they open in order and without a kernel."""
    inside = ""
    for rung in range(1 if only_first else len(exercise.ladder), 0, -1):
        inside = details(f"{exercise.name}: {label(exercise, rung)}", prose(exercise.ladder[rung - 1]) + inside)
    return inside
