"""What an answer keeps of an exercise's points: the one table, which README shows too. A class may change it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..spec.exercise import Exercise
from .verdict import CaseResult, OverBudget, Status


@dataclass(frozen=True)
class Shares:
    """Shares of an exercise's points.

    wrong: the most that an answer keeps which fails a case. It is shared out evenly over the situations that an
    exercise tries (REGIMES, and one for all other cases), and a situation counts if all of its cases are right; an
    answer that misses the first, plain case keeps nothing.
    over_budget: what right values keep that break a budget, or that lack a call which is asked for, or that compile on
    this machine alone. missed_the_point: the same where the budget is what the exercise is about.
    forbidden: what an answer keeps that uses a forbidden operation, or a name that a grade does not have.
    broken_puzzle: a puzzle that breaks a budget, which may be the very mistake to mend.
    """

    wrong: float = 0.5
    over_budget: float = 0.5
    missed_the_point: float = 0.25
    forbidden: float = 0.0
    broken_puzzle: float = 0.0


SHARES = Shares()
FORBIDDEN = ("operations", "names")  # kinds of what goes against an answer: forbidden operations, names no grade has
BY_MACHINE = ("timeout", "memory")  # statuses that hang on how busy a machine is, too


def score(exercise: Exercise, results: Sequence[CaseResult], over: Sequence[OverBudget]) -> tuple[Status, float]:
    """Status and points of an answer, from its cases and what went against it besides."""
    if any(result.status == "flagged" for result in results):
        return "flagged", 0.0
    all_right = all(result.status == "pass" for result in results)
    share = min([*_of_values(exercise, results), *_of_budgets(exercise, over)])
    earned = round(exercise.points * share, 4)
    if all_right and not over:
        return "pass", earned
    if earned:
        return "partial", earned
    worst: Any = next((result.status for result in results if result.status != "pass"), "fail")
    if worst in BY_MACHINE and any(o.kind in FORBIDDEN for o in over):
        return "fail", 0.0
    return worst, 0.0


def _of_values(exercise: Exercise, results: Sequence[CaseResult]) -> list[float]:
    if all(result.status == "pass" for result in results):
        return [1.0]
    if results[0].status != "pass":
        return [0.0]
    found = situations(exercise, results)
    return [SHARES.wrong * sum(found.values()) / len(found)]


def situations(exercise: Exercise, results: Sequence[CaseResult]) -> dict[str, bool]:
    """The situations that an exercise tries, and whether all cases of each are right."""
    found: dict[str, bool] = {}
    for case, result in zip(exercise.cases, results, strict=True):
        for regime in case.regimes or ("others",):
            found[regime] = found.get(regime, True) and result.status == "pass"
    return found


def _of_budgets(exercise: Exercise, over: Sequence[OverBudget]) -> list[float]:
    missed = SHARES.missed_the_point if exercise.budget.is_the_point else SHARES.over_budget
    found = []
    for kind in (o.kind for o in over):
        if kind in FORBIDDEN:
            found.append(SHARES.forbidden)
        elif exercise.puzzle:
            found.append(SHARES.broken_puzzle)
        else:
            found.append(SHARES.over_budget if kind in ("calls", "compile") else missed)
    return found
