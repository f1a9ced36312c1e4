"""A mistake that explains the failed cases that end as numbers, where others end as NaN, infinity or an exception.

A first attempt seldom holds one mistake alone: it lacks a guard for -inf as well, which hides the other in those cases.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...spec.edits import Mutant
from ...spec.exercise import Exercise
from ..prepare import prepare
from ..verdict import CaseResult, Diagnosis
from .mistakes import agrees, equal, explaining, mutant_values

FEWEST = 2  # failed cases that have to agree: one may do so by chance


def mistake_in_part(exercise: Exercise, seed: str, results: Sequence[CaseResult]) -> Diagnosis | None:
    """The one mutant whose answers equal the wrong ones wherever these are numbers, which is in half of the failed
    cases at least; None when unsure.

    None for objects, of which only the steps up to the first wrong one can be compared.
    """
    failed = {i: result for i, result in enumerate(results) if result.status != "pass"}
    passed = [i for i, result in enumerate(results) if result.status == "pass"]
    ended = all(result.status in ("fail", "error") for result in failed.values())
    as_numbers = [(i, r.outputs) for i, r in failed.items() if r.outputs and _is_finite(r.outputs)]
    if isinstance(exercise.function, type) or not ended or not FEWEST <= len(as_numbers) < len(failed):
        return None
    rest = [i for i in failed if i not in dict(as_numbers)]
    found = []
    for mutant in explaining(exercise, seed, exercise.mutants, as_numbers, passed):
        elsewhere = [i for i in rest if not agrees(exercise, seed, (i, failed[i].outputs or ()), mutant)]
        hidden = (_is_hidden(exercise, seed, mutant, i, failed[i].outputs) for i in elsewhere)
        if len(elsewhere) <= len(as_numbers) and all(hidden):
            found.append(Diagnosis(mutant.key, mutant.name, mutant.hint, tuple(i + 1 for i in elsewhere)))
    return found[0] if len(found) == 1 else None


def _is_finite(outputs: Sequence[np.ndarray]) -> bool:
    return all(np.isfinite(x).all() for x in outputs)


def _is_hidden(exercise: Exercise, seed: str, mutant: Mutant, index: int, outputs: Sequence[np.ndarray] | None) -> bool:
    """Whether the answer equals the mutant's but where it is NaN or infinite, or raises where the mutant does not."""
    theirs = mutant_values(exercise.name, mutant, index, seed)
    if theirs is None or outputs is None:
        return theirs is not None
    if [x.shape for x in outputs] != [x.shape for x in theirs]:
        return False
    prepared = prepare(exercise.name, index, seed)
    pairs = enumerate(zip(outputs, theirs, strict=True))
    return all(equal(np.where(np.isfinite(a), a, b), b, prepared, i) for i, (a, b) in pairs)
