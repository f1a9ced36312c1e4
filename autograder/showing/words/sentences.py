"""Sentences on a verdict that its card and its plain text share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...judging.points import situations
from ...judging.tolerance import Comparison
from ...judging.verdict import Verdict
from ...runner.meters import METERS, Meter
from ...runner.meters.words import amount, counted, in_bytes, in_words
from ..markup import clip, number

SAME = "Your lines are the course's, one for one."
WHAT_TO_DO = "Write the missing lines of the function, then run its cell again."
FIRST_CASE_COUNTS = "Points start with case 1: an answer that misses it earns none."
FORBIDDEN_EARNS_NONE = "An answer that uses a forbidden operation, or a name that a grade does not have, earns none."
PUZZLE_EARNS_NONE = "A puzzle earns none while its mistake is left in."
NO_SITUATION_COUNTS = (
    "Points are shared out over the situations that the exercise tries. A situation counts if all of its cases are "
    "right, and here none does."
)


def tally(verdict: Verdict) -> str:
    """Cases passed, e.g. "3 of 5 cases"."""
    return f"{verdict.passed} of {counted(len(verdict.cases), 'case')}"


def table(numbers: Sequence[tuple[str, str]]) -> str:
    """Names and numbers, those of several lines below each other."""
    width = max(len(name) for name, _ in numbers)
    hanging = "\n" + " " * (width + 2)
    return "\n".join(f"{name:<{width}}  {shown.replace(chr(10), hanging)}" for name, shown in numbers)


def case_label(verdict: Verdict) -> str:
    """The number of the first failing case, e.g. "case 5"."""
    return f"case {next(i for i, c in enumerate(verdict.cases, 1) if c is verdict.first_failure)}"


def points(verdict: Verdict) -> str:
    """Points earned out of the maximum, e.g. "+1.2 / 2 points"; for what nobody has graded yet the maximum alone."""
    ungraded = verdict.status in ("infra", "flagged")
    earned = f"+{number(verdict.points)}" if verdict.points else "-" if ungraded else "0"
    return f"{earned} / {number(verdict.max_points)} {'point' if verdict.max_points == 1 else 'points'}"


def where(line: int, function: str = "") -> str:
    """A line of the learner's code, e.g. "line 7, in merge"."""
    return f"line {line}" + (f", in {clip(function, 60)}" if function and function != "<module>" else "")


def diagnosis(verdict: Verdict) -> str:
    """The sentence that names the mistake, and where it is not the only one."""
    assert verdict.diagnosis
    said = f"Your answer is what you get when {verdict.diagnosis.mutant}."
    if not (elsewhere := verdict.diagnosis.elsewhere):
        return said
    more = f" (and {len(elsewhere) - 1} more)" if len(elsewhere) > 1 else ""
    return f"{said} In case {elsewhere[0]}{more} something else goes wrong, too."


def why_no_points(verdict: Verdict) -> str:
    """Why an answer that gets cases right earns nothing; "" of any other."""
    if verdict.points or not verdict.passed or verdict.status in ("infra", "flagged"):
        return ""
    if verdict.cases[0].status != "pass":
        return FIRST_CASE_COUNTS
    if any(over.kind in ("operations", "names") for over in verdict.over):
        return FORBIDDEN_EARNS_NONE
    if verdict.exercise.puzzle:
        return PUZZLE_EARNS_NONE
    return "" if any(situations(verdict.exercise, verdict.cases).values()) else NO_SITUATION_COUNTS


def rule(c: Comparison | None) -> str:
    """Why the tolerance is what it is, with its numbers; empty where the failure is not a matter of size."""
    if c is None or c.ok or c.expected is None or c.expected.output.exact or not _is_finite(c.max_error):
        return ""
    e = c.expected
    if (c.max_error or 0) > e.max_bound:
        allowed, factor, plain, floor, each = e.max_bound, e.factor, e.plain_error, e.floor, ""
    else:
        allowed, factor, plain, floor = e.mean_bound, e.mean_factor, e.mean_plain_error, e.mean_floor
        each = " on average"
    how = f"with sums in float32, of {e.dtype} numbers" if e.dtype.itemsize == 2 else f"written plainly in {e.dtype}"
    if not plain:
        why = f"{allowed:.2e}: rounding alone" if floor else "0"
        return f"allowed{each} {why}, since the same formula {how} is not off at all"
    plainly = f"{plain:.2e} (error of the same formula {how})"
    return f"allowed{each} {allowed:.2e} = {factor:g} x {plainly} + {floor:.2e} (rounding)"


def measured(verdict: Verdict, quiet: bool = False) -> list[tuple[str, str]]:
    """What the answer used and, where known, what it may use: (label, sentence) pairs.

    Of what an exercise does not bound, a count of 0 is not told: a first kernel would read of tensor cores. quiet: what
    guards against ways around the exercise instead of what it is about.
    """
    budget, seen = verdict.exercise.budget, verdict.measured
    told = [m for m in METERS if m.is_quiet is quiet and (seen.get(m.name) or f"{m.name}_allowed" in seen)]
    out = []
    for label in dict.fromkeys(meter.label for meter in told):
        meters = [m for m in told if m.label == label]
        pairs = zip(meters, budget.formulas(meters))
        said = [f"{in_words(m, m.used, seen[m.name])}{_allowed(m, seen, words)}" for m, words in pairs]
        out.append((label, ", ".join(said)))
    not_here = "not counted on this machine; an official grade without a GPU counts it"
    return out if quiet else out + [(label, not_here) for label in dict.fromkeys(seen.get("uncounted", ()))]


def folded(verdict: Verdict) -> list[tuple[str, str]]:
    """The same of what only guards the exercise, and what its compiler says."""
    out = measured(verdict, quiet=True)
    for report in verdict.measured.get("compiled", ()):
        spilled = "nothing spilled"
        if report["spilled_bytes"]:
            spilled = f"{counted(report['spilled_bytes'], 'byte')} per thread kept in memory"
        shared = f"{in_bytes(report['shared_bytes'])} of shared memory"
        registers = f"{counted(report['registers'], 'register')} per thread"
        out.append(("compiled", f"{report['kernel']} for {report['target']}: {registers}, {spilled}, {shared}"))
    return out


def _allowed(meter: Meter, seen: Mapping[str, Any], words: str) -> str:
    """In brackets what was allowed, and that bound in words."""
    allowed = seen.get(f"{meter.name}_allowed")
    if allowed is None:
        return ""
    most = f"{amount(meter, allowed)} allowed"
    bound = f"at least {amount(meter, allowed)} wanted" if meter.is_least else most
    return f" ({bound}: {words})" if words else f" ({bound})"


def _is_finite(x: float | None) -> bool:
    return x is not None and abs(x) < float("inf")
