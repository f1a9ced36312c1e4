"""The right results, each in the place of another."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

from ...spec.exercise import Exercise
from ..prepare import prepare
from ..tolerance import compare
from ..verdict import Diagnosis
from .mistakes import Failed


def in_another_order(exercise: Exercise, seed: str, failed: Sequence[Failed]) -> Diagnosis | None:
    """The one order in which the results are right in every failed case, on every rank; None if there is none."""
    own = tuple(range(len(exercise.outputs)))
    if not failed or len(own) < 2 or isinstance(exercise.function, type):
        return None
    for order in permutations(own):
        if order != own and all(_is_right(exercise, seed, case, order) for case in failed):
            names = [output.name for output in exercise.outputs]
            moved = [names[i] for i in own if order[i] != i]
            come = ", ".join(names[i] for i in order)
            said = f"{' and '.join(moved)} have changed places" if len(moved) == 2 else f"they come as {come}"
            return Diagnosis("other-order", f"the results are right, but {said}")
    return None


def _is_right(exercise: Exercise, seed: str, failed: Failed, order: Sequence[int]) -> bool:
    """order: of which result a rank's first one has the values, and so on."""
    index, outputs = failed
    expected = prepare(exercise.name, index, seed).expected
    if len(outputs) != len(expected):
        return False
    first_of_rank = range(0, len(outputs), len(order))
    pairs = [(outputs[rank + i], expected[rank + right]) for rank in first_of_rank for i, right in enumerate(order)]
    return all(compare(got, want).ok for got, want in pairs)
