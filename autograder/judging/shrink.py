"""A failure of an object with as few operations as can be found."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

from ..runner.observe import Observation
from ..runner.play import Step
from ..spec.exercise import Exercise
from .cases import ended, judge_case
from .prepare import Prepared, prepare_arguments
from .verdict import CaseResult

Call = Callable[[Prepared, bool], "Observation | str"]  # (case, once) -> what was seen, or a key of STOPPED


# How many calls, and seconds, may be spent on shortening the sequence of operations on which an object fails.
MOST_TRIES, MOST_SECONDS = 60, 10.0


def shortest(exercise: Exercise, prepared: Prepared, result: CaseResult, call: Call) -> CaseResult:
    """The same failure with as few operations as can be found.

    Where an operation raised what it should not, and one before it had already gone wrong, the failure is that one's:
    what comes later may only follow from it. First whatever comes after the failing step is left out, then each method
    except for that step, since most steps only look; then pieces of half the length, a quarter, and so on down to
    single steps, from the end.
    """
    steps, best = list(prepared.steps), result
    tries, end_of_time = MOST_TRIES, time.monotonic() + MOST_SECONDS

    def shorten_to(kept: list[Step], alike: bool = True) -> None:
        """Continue with these operations if they fail too; alike: only if it is with the same status."""
        nonlocal steps, best, tries
        if not 0 < len(kept) < len(steps) or not tries or time.monotonic() > end_of_time:
            return
        tries -= 1
        try:
            shorter = prepare_arguments(exercise, prepared.case, prepared.arguments | {"steps": kept})
        except Exception:  # the model needs a step that was left out
            return
        seen = call(shorter, False)
        if not isinstance(seen, Observation) or ended(seen.failure):  # the next try may be as expensive
            tries = 0
            return
        tried = judge_case(exercise, shorter, seen)
        if tried.status == best.status or (not alike and tried.status == "fail"):
            steps, best = kept, tried

    if result.failure and not result.failure.is_hole:
        shorten_to(steps[: max(result.failure.step - 1, 0)], alike=False)
    shorten_to(steps[: best.failure.step if best.failure else failed_step(best, prepared)])
    for method in dict.fromkeys(method for method, _ in steps[:-1]):
        shorten_to([step for step in steps[:-1] if step[0] != method] + steps[-1:])
    size = len(steps) // 2
    while size:
        for end in range(len(steps), 0, -size):
            shorten_to(steps[: max(end - size, 0)] + steps[end:])
        size = min(size, len(steps)) // 2
    return best


def failed_step(result: CaseResult, prepared: Prepared) -> int:
    """The step (from 1) with the first wrong answer."""
    wrong = next((i for i, c in enumerate(result.comparisons) if not c.ok), None)
    if wrong is None:
        return 0
    found = re.search(r"operation (\d+)", result.comparisons[wrong].name)
    return int(found[1]) if found else 0
