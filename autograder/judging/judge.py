"""From observations of single calls to a verdict: value, operations, memory and steps, then points and diagnosis.

The same for a check in the notebook and for an official grade; they differ only in where the calls ran.
"""

from __future__ import annotations

import contextlib
import itertools
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import torch

from ..backends import backend_of
from ..backends.assembly import Compiled
from ..runner.meters import METERS
from ..runner.meters.idle import LEFT
from ..runner.observe import Observation
from ..spec.exercise import Arguments, Exercise
from ..spec.starter import open_holes
from .cases import case_result, ended, judge_case
from .describe import numbers
from .diagnosis import diagnose
from .limits.budgets import measured_counts, over_budget
from .limits.calls import called_for_show, miscalled, misread
from .limits.compiled import uncompiled
from .limits.operations import asked_of_source, forbidden_at_run_time
from .points import score
from .prepare import PUBLIC_SEED, Prepared, in_bfloat16, numbers_in_bfloat16, prepare, prepare_compiled
from .shrink import Call, failed_step, shortest
from .verdict import CaseResult, Diagnosis, OverBudget, Verdict

Compile = Callable[[Arguments], "list[Compiled]"]  # arguments of a launch -> what Triton's compiler says of its kernels


@contextlib.contextmanager
def one_thread() -> Iterator[None]:
    """Run torch in one thread: on arrays as small as a case's, threads wait for each other longer than they compute."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


@one_thread()
def judge(
    exercise: Exercise,
    source: str,
    seed: str,
    call: Call,
    compiled: Compile | None = None,
    diagnosed: bool = True,
    tell: Callable[[int, CaseResult], None] = lambda number, result: None,
) -> Verdict:
    """Run every case through `call` and judge what was seen.

    source: the learner's code, for the syntax tree. `call` returns an Observation, or a key of STOPPED. Cases
    after one that ran out of time are not run. `compiled` runs Triton's compiler where there is one; it is called
    once every value is right. diagnosed: also look for the cause, and for the fewest operations of an object that
    fail, which takes longer than the rest. tell: is told the first case that is wrong, by its number from 1.
    """
    backend = backend_of(exercise)
    if backend.never_begun(exercise, source):
        return _not_attempted(exercise, source)
    results: list[CaseResult] = []
    whole: list[CaseResult] = []  # as they were seen; the first failure is shown shortened
    beside = _Beside(exercise, source, asked_of_source(exercise, source))
    looked_into = _looked_into(exercise, seed)
    for index in range(len(exercise.cases)):
        prepared = prepare(exercise.name, index, seed)
        if results and results[-1].status in ("timeout", "skipped"):
            results.append(case_result(prepared, "skipped", "not run, because an earlier case ran out of time"))
            whole.append(results[-1])
            continue
        seen = call(prepared, prepared.case.budget or index == looked_into)
        result = judge_case(exercise, prepared, seen)
        whole.append(result)
        at_hole = index == 0 and _stops_at_hole(exercise, prepared, result, source)
        if at_hole or (index == 0 and backend.met_hole(exercise, result.failure, source)):
            return _not_attempted(exercise, source)
        first = not any(earlier.status in ("fail", "error") for earlier in results)  # the one that is shown
        failed = result.status in ("fail", "error")
        if diagnosed and first and failed and prepared.returns and not ended(result.failure):
            result = shortest(exercise, prepared, result, call)
        if first and seed == PUBLIC_SEED:  # those of an official grade are secret
            result.numbers = _numbers(prepared, result)
        if isinstance(seen, Observation) and seed == PUBLIC_SEED:
            result.printed = seen.printed
        if first and failed:
            tell(index + 1, result)
        results.append(result)
        if isinstance(seen, Observation):
            beside.note(prepared, index + 1, seen, result.status == "pass")
    if exercise.engine.launches_triton and all(result.status == "pass" for result in results):
        again = _again_in_bfloat16 if beside.on_gpu else _launched_in_bfloat16
        results = again(exercise, results, seed, call, beside)
    if compiled and backend.is_compiled(exercise) and all(result.status == "pass" for result in results):
        beside.note_compiled(compiled(prepare_compiled(exercise.name, seed) if exercise.compiled else {}))
    over = beside.broken()
    status, points = score(exercise, results, over)
    diagnosis = diagnose(exercise, seed, whole, call) if diagnosed else None
    shown = _shown(over, diagnosis, all(result.status == "pass" for result in results))
    return _lean(Verdict(exercise, status, points, results, shown, diagnosis, measured=beside.measured, source=source))


OF_VALUES = frozenset(meter.kind for meter in METERS if meter.of_values)


def _shown(over: list[OverBudget], diagnosis: Diagnosis | None, all_right: bool) -> list[OverBudget]:
    """Those that lead no learner astray. Wrong values, of another case too, spoil a count of what comes out; what is
    called for show, or done too little, may be the very cause, so long as no other is named. They count against the
    points all the same: a value may be made wrong to hide them.
    """
    if all_right:
        return over
    return [limit for limit in over if limit.kind not in OF_VALUES and not (limit.spoiled and diagnosis)]


# Cases in which every product counts.
ORDINARY = ("plain", "ragged", "causal", "cross", "heads", "many-keys", "keys", "queries", "wide")


def _looked_into(exercise: Exercise, seed: str) -> int | None:
    """Besides the cases for a budget, which an answer knows by their size: where tensor cores are used in earnest, and
    where no case is made for a budget, though calls have to leave nothing behind.
    """
    leaves = LEFT in exercise.spied and not any(case.budget for case in exercise.cases)
    if not (exercise.budget.multiplications or leaves):
        return None
    found = [index for index, case in enumerate(exercise.cases) if case.key in ORDINARY]
    found = found or [*range(len(exercise.cases))] * leaves
    return random.Random(seed).choice(found) if found else None


def _unwritten(exercise: Exercise, source: str) -> list[str]:
    """The functions and methods of the starter in which the answer has a hole still."""
    still = open_holes(source)
    return [name for name in open_holes(exercise.starter) if name in still]


def _stops_at_hole(exercise: Exercise, prepared: Prepared, result: CaseResult, source: str) -> bool:
    """Whether a case goes wrong in a part of the answer that is not written yet: the function, or a step's method."""
    if result.status not in ("fail", "error"):
        return False
    if result.failure and result.failure.is_hole:
        where = result.failure.function
    else:
        step = result.failure.step if result.failure else failed_step(result, prepared)
        where = prepared.steps[step - 1][0] if prepared.returns and step else exercise.name
    return where in _unwritten(exercise, source)


def _not_attempted(exercise: Exercise, source: str) -> Verdict:
    """What is said of an answer with a hole: where, unless it is the starter as it was given out."""
    names = [] if exercise.is_starter(source) else _unwritten(exercise, source)
    note = f"A part of {' and of '.join(names)} is not written yet." if names else ""
    return Verdict(exercise, "not_attempted", 0.0, note=note, source=source)


@dataclass
class _Beside:
    """What the calls of an answer show beside its values: broken limits, and what was measured.

    elsewhere: limits broken in cases that are not made for a budget, so that others say more.
    """

    exercise: Exercise
    source: str
    over: list[OverBudget]
    elsewhere: list[OverBudget] = field(default_factory=list)
    measured: dict[str, Any] = field(default_factory=dict)
    launched: set[str] = field(default_factory=set)
    on_gpu: bool = False

    def note(self, prepared: Prepared, number: int, seen: Observation, is_right: bool) -> None:
        """Add what the call of case `number`, counted from 1, shows. is_right: whether its values are."""
        self.on_gpu |= seen.on_gpu
        self.launched |= set(seen.kernels or ())
        over, cases = list(forbidden_at_run_time(self.exercise, seen, self.source)), (prepared.case.key,)
        if seen.outputs is not None:
            over += miscalled(self.exercise, prepared, seen)
            over += (replace(limit, spoiled=not is_right) for limit in called_for_show(self.exercise, prepared, seen))
            broken = self._broken_bounds(prepared, seen, is_right)
            if prepared.case.budget:
                self.measured |= measured_counts(self.exercise, prepared, seen)
                over += broken
            else:
                said = (replace(limit, message=f"{limit.message}, in case {number}") for limit in broken)
                self.elsewhere += (replace(limit, cases=cases) for limit in said)
        self.over += (replace(limit, cases=cases) for limit in over)

    def _broken_bounds(self, prepared: Prepared, seen: Observation, is_right: bool) -> list[OverBudget]:
        """What a call that returned used too much of, or too little."""
        broken = [
            replace(limit, spoiled=not is_right and limit.used < limit.allowed)
            for limit in over_budget(self.exercise, prepared, seen, self.source)
        ]
        return [*broken, *misread(self.exercise, prepared, seen)] if is_right else broken

    def note_compiled(self, reports: list[Compiled]) -> None:
        if reports:
            self.measured["compiled"] = [report.as_data() for report in reports if not report.failure]
        self.over += uncompiled(reports, self.source, self.launched)

    def broken(self) -> list[OverBudget]:
        """The first of each kind, those that no wrong value spoils before the others, with the cases of all of them;
        operations before all, since one that leads out of what is measured is why other counts are too small.
        """
        found = sorted(
            [*self.over, *self.elsewhere], key=lambda limit: (limit.kind != "operations", limit.kind, limit.spoiled)
        )
        kinds = (list(group) for _, group in itertools.groupby(found, key=lambda limit: limit.kind))
        return [replace(alike[0], cases=[key for limit in alike for key in limit.cases]) for alike in kinds]


def _launched_in_bfloat16(
    exercise: Exercise, passed: list[CaseResult], seed: str, call: Call, beside: _Beside
) -> list[CaseResult]:
    """The results, with what a call in bfloat16 does beside its kernels, which the interpreter launches in name only:
    of the first case in float16.
    """
    results = list(passed)
    for index in numbers_in_bfloat16(exercise.name, seed)[:1]:
        narrow = in_bfloat16(exercise.name, index, seed)
        seen, again = call(narrow, False), results[index]
        if isinstance(seen, str) or seen.failure:
            again = judge_case(exercise, narrow, seen)
        elif seen.kernels == []:
            said = "no kernel is launched, and a kernel has to compute the values"
            again = replace(again, status="fail", message=said)
        if isinstance(seen, Observation):
            beside.note(narrow, index + 1, seen, True)
        if again.status != "pass":
            results[index] = replace(again, message=f"in bfloat16: {again.message}")
    return results


def _again_in_bfloat16(
    exercise: Exercise, passed: list[CaseResult], seed: str, call: Call, beside: _Beside
) -> list[CaseResult]:
    """The results, but those in bfloat16, which a GPU has, of cases in float16 that fail in it. Last, since its kernels
    are compiled anew.
    """
    results = list(passed)
    for index in numbers_in_bfloat16(exercise.name, seed):
        if any(result.status == "timeout" for result in results):
            break
        narrow = in_bfloat16(exercise.name, index, seed)
        again = judge_case(exercise, narrow, call(narrow, False))
        if again.status != "pass":
            again.message = f"in bfloat16, with the same numbers rounded: {again.message}"
            if seed == PUBLIC_SEED and all(result.status == "pass" for result in results):
                again.numbers = _numbers(narrow, again)
            results[index] = again
    return results


def _lean(verdict: Verdict) -> Verdict:
    """Without the outputs, which a class's would fill the memory with, but those that are shown."""
    for result in verdict.cases:
        if result is not verdict.first_failure:
            result.outputs = None
    return verdict


def _numbers(prepared: Prepared, result: CaseResult) -> list[tuple[str, str]]:
    """The numbers of a failed case of a function, where they are few."""
    wrong = next((i for i, comparison in enumerate(result.comparisons) if not comparison.ok), None)
    if wrong is None or prepared.returns or len(result.comparisons) != len(result.outputs or ()):
        return []
    assert result.outputs is not None
    expected = prepared.expected[wrong]
    right = expected.truth.astype(expected.dtype)
    return numbers(prepared.arguments, result.outputs[wrong], right, expected.output.name)
