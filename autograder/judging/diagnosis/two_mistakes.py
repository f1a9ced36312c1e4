"""Two classic mistakes in one answer: a first case that shows only one of them would hide what the others show."""

from __future__ import annotations

from collections.abc import Sequence

from ...spec.edits import Both, Mutant
from ...spec.exercise import Exercise
from ..verdict import Diagnosis
from .mistakes import Failed, agrees, explaining, is_right


def matching_pair(exercise: Exercise, seed: str, failed: Sequence[Failed], passed: Sequence[int]) -> Diagnosis | None:
    """The one pair of mutants that together give the wrong answers of all failed cases; None when unsure.

    One has to give the first failed case and most of the others alone, and the second to be right on these: else any
    two edits that spoil all would be weighed.
    """
    found = []
    for one in explaining(exercise, seed, exercise.mutants, failed[:1], passed):
        explained = [agrees(exercise, seed, case, one) for case in failed]
        rest = [case for case, known in zip(failed, explained) if not known]
        if 2 * len(rest) < len(failed):
            right_on = [*(index for (index, _), known in zip(failed, explained) if known), *passed]
            pairs = [
                _together(exercise, one, m) for m in exercise.mutants if _is_beside(exercise, seed, m, rest, right_on)
            ]
            found += explaining(exercise, seed, [pair for pair in pairs if pair], [*rest, *failed], passed)
    return Diagnosis(found[0].key, found[0].name, found[0].hint) if len(found) == 1 else None


def _is_beside(exercise: Exercise, seed: str, mutant: Mutant, rest: Sequence[Failed], right_on: Sequence[int]) -> bool:
    """Whether a mutant is right where the other one explains all, and wrong somewhere else."""
    return all(is_right(exercise, seed, mutant, index) for index in right_on) and not all(
        is_right(exercise, seed, mutant, index) for index, _ in rest
    )


def _together(exercise: Exercise, one: Mutant, other: Mutant) -> Mutant | None:
    """Both edits as one mutant, None where they change the same lines."""
    edit = Both(one.edit, other.edit)
    try:
        edit.apply(exercise.source)
    except ValueError:
        return None
    return Mutant(f"{one.key}-{other.key}", f"{one.name}, and {other.name}", edit, one.killed_by, one.hint)
