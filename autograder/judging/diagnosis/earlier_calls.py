"""Does an answer hang on the calls before? The small cases are called twice, first with other numbers."""

from __future__ import annotations

from collections.abc import Sequence

from ...runner.observe.rehearsal import is_small
from ...spec.exercise import Exercise
from ..cases import judge_case
from ..prepare import prepare
from ..shrink import Call
from ..verdict import CaseResult, Diagnosis


def hangs_on_earlier_calls(
    exercise: Exercise, seed: str, results: Sequence[CaseResult], call: Call
) -> Diagnosis | None:
    """Whether only cases are wrong that are called twice, and the first of them is right when it is called once.

    None for objects, which are meant to remember, and on ranks, where nothing is called twice.
    """
    wrong = [i for i, result in enumerate(results) if result.status != "pass"]
    if isinstance(exercise.function, type) or not wrong or not exercise.engine.calls_twice:
        return None
    for i in wrong:
        prepared = prepare(exercise.name, i, seed)
        if results[i].status != "fail" or prepared.case.budget or not is_small(prepared.arguments):
            return None
    first = prepare(exercise.name, wrong[0], seed)
    if judge_case(exercise, first, call(first, True)).status != "pass":  # made once
        return None
    said = "something is kept from an earlier call, a result or a gradient, and used or added to in the next one"
    return Diagnosis("earlier-call", said)
