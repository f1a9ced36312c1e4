"""Why is an answer wrong? A cause is named only if it explains every failed case, and is right where the answer is.

But one may leave out cases that end as NaN, infinity or an exception, and these are said with it.

Read in this order: `earlier_calls` (does the answer hang on them?), `mistakes` (the exercise's own, as runnable code),
`other_order` (the results in each other's places), `wrong_oracles` (the oracle with another mask, scale or layout,
which does not hang on how an answer is written), `stand_ins` (a finite number for -inf, by the rows that err),
`differences` (by what a count is off), `short_products` (tl.dot as it is by default), `patterns` (what the failed cases
have in common), `in_part` (a mistake that is not the only one).
"""

from __future__ import annotations

from collections.abc import Sequence

from ...spec.exercise import Exercise
from ..shrink import Call
from ..verdict import CaseResult, Diagnosis
from .differences import matching_difference
from .earlier_calls import hangs_on_earlier_calls
from .in_part import mistake_in_part
from .mistakes import matching_mistake
from .other_order import in_another_order
from .patterns import common_situation
from .short_products import rounded_products
from .stand_ins import finite_for_hidden
from .wrong_oracles import matching_oracle


def diagnose(exercise: Exercise, seed: str, results: Sequence[CaseResult], call: Call) -> Diagnosis | None:
    """The cause of the wrong answers among the results of all cases, None when unsure.

    results: as they were seen, not shortened. call: calls the answer on a case once more.
    """
    if found := hangs_on_earlier_calls(exercise, seed, results, call):
        return found
    wrong = [i for i, result in enumerate(results) if any(not comparison.ok for comparison in result.comparisons)]
    failed = [(i, outputs) for i in wrong if (outputs := results[i].outputs) is not None]
    passed = [i for i, result in enumerate(results) if result.status == "pass"]
    compared = [(i, outputs) for i, outputs in failed if any(c.error is not None for c in results[i].comparisons)]
    raised = [i for i, r in enumerate(results) if r.status == "error" and not isinstance(exercise.function, type)]
    found = matching_mistake(exercise, seed, failed, passed, raised) or in_another_order(exercise, seed, failed)
    if found is None and compared and len(compared) == len(failed) and not (raised and raised[0] < wrong[0]):
        found = matching_oracle(exercise, seed, compared, passed) or finite_for_hidden(exercise, seed, compared, passed)
    return (
        found
        or matching_difference(exercise, seed, results)
        or rounded_products(results)
        or common_situation(exercise, results)
        or mistake_in_part(exercise, seed, results)
        or rounded_products(results, in_part=True)
    )
