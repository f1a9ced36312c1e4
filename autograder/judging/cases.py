"""One case: was there an answer, were the inputs left alone, are the values right?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..runner.engines.triton import ROUNDED_TO_TF32
from ..runner.failure import Failure, Kind
from ..runner.meters.words import counted
from ..runner.observe import Observation
from ..spec.exercise import Exercise
from .prepare import Prepared
from .tolerance import Comparison, compare
from .verdict import CaseResult

# Status and message of a case whose call gave no Observation.
STOPPED = {
    "timeout": ("timeout", "did not finish in time"),
    "out of time": ("timeout", "was not run: the answer's calls, or the whole submission's, have used up their time"),
    "flagged": ("flagged", "the process sent back something that is not an answer"),
}


def judge_case(exercise: Exercise, prepared: Prepared, seen: Observation | str) -> CaseResult:
    """One case: was there an answer, were the inputs left alone, are the values right?"""
    if isinstance(seen, str):
        return case_result(prepared, *STOPPED[seen])
    if seen.failure:
        status = "memory" if _is_memory(seen.failure) else "error"
        said = say_failure(seen.failure) + _due(prepared, seen.failure.step)
        if seen.failure.kind == Kind.TIMEOUT:
            status = "timeout"
            said = said if seen.failure.message else STOPPED["timeout"][1] + _in_step(seen.failure)
        elif seen.failure.kind == Kind.INTERRUPTED:
            status, said = "timeout", "was interrupted before it gave an answer; does a loop never end?"
        elif seen.failure.is_hole and seen.failure.function == exercise.name:
            said = "a part of it is not written yet: NotImplementedError"
        result = case_result(prepared, status, said)
        result.failure = seen.failure
        return result
    assert seen.outputs is not None
    comparisons = judge_value(seen.outputs, prepared)
    wrong = next((c for c in comparisons if not c.ok), None)
    said = wrong.message + _unwritten(comparisons.index(wrong), wrong, seen) + _raised_at(wrong, seen) if wrong else ""
    result = case_result(prepared, "fail" if wrong else "pass", said)
    result.comparisons, result.outputs = comparisons, seen.outputs
    result.rounded_at = seen.operations.get(ROUNDED_TO_TF32, 0)
    if not wrong and seen.inputs_changed:
        result.status, result.message = "fail", "the inputs were changed; work on a copy, or write to a new array"
    elif not wrong and (
        said := _shared_memory(prepared, seen) or _unlike(prepared, seen) or _idle_kernels(prepared, seen)
    ):
        result.status, result.message = "fail", said
    return result


def _unwritten(place: int, wrong: Comparison, seen: Observation) -> str:
    """That no kernel stored anything into a wrong output, where that was watched."""
    if wrong.error is None or "u" not in "".join(seen.shared[place : place + 1]):
        return ""
    return "; no kernel was launched" if seen.kernels == [] else f"; no kernel stores anything into {wrong.name}"


def _raised_at(wrong: Comparison, seen: Observation) -> str:
    """The learner's line at which the wrong step of an object raised an error that counts as an answer."""
    raised = next((failure for failure in seen.raised if wrong.name == f"operation {failure.step}"), None)
    if raised is None or not raised.line:
        return ""
    return f" (line {raised.line}, in {raised.function}: {raised.text})"


def _shared_memory(prepared: Prepared, seen: Observation) -> str:
    """What is wrong with the memory in which the results lie; nothing where it was not looked at."""
    for mark, expected in zip(seen.shared, prepared.expected):
        name, memory = expected.output.name, expected.output.memory
        if "i" in mark and (prepared.returns or memory != "view"):
            return f"{name} lies in the memory of an argument, so that it changes when that does; return new memory"
        if "k" in mark:
            return f"{name}: the object keeps the memory of an argument, and changes when that does; copy it"
        if "e" in mark:
            return f"{name} returns an empty list that an earlier one has returned; return a new one"
        if "g" in mark and memory == "contiguous":
            return f"{name} is not contiguous; its rows have to follow each other without gaps"
        if "r" in mark and memory != "view":
            return f"{name} lies in the memory of an earlier call's result, which it overwrites; return new memory"
        if "o" in mark and memory == "copy":
            return f"{name} lies in the object's own memory, so that it changes with it; return a copy"
        if "m" in mark and memory == "view":
            return (
                f"{name}: what the view shows is moved by a later operation, or its memory is changed by one that is "
                "refused; what is stored has to stay in its place"
            )
        if "w" in mark and memory == "view":
            return f"{name}: whoever asks for it changes the object's memory; return a view of what is stored"
        if prepared.returns and "o" not in mark and memory == "view" and expected.truth.size:
            return f"{name} is a copy; return a view of the object's own memory"
    return ""


def _unlike(prepared: Prepared, seen: Observation) -> str:
    """Which result is not the same on all ranks although it has to be."""
    first: dict[str, np.ndarray] = {}
    for array, expected in zip(seen.outputs or (), prepared.expected):
        name = expected.output.name.partition(": ")[2]
        if expected.output.alike and not np.array_equal(first.setdefault(name, array), array):
            return f"{expected.output.name} is right up to rounding, but not bit for bit that of rank 0"
    return ""


def _idle_kernels(prepared: Prepared, seen: Observation) -> str:
    """What is wrong where right values did not come from a kernel; nothing where kernels are not watched."""
    if seen.kernels is None or not any(output.size for output in seen.outputs or ()):
        return ""
    if not seen.kernels:
        return "the values are right, but no kernel was launched, and a kernel has to compute them"
    if prepared.case.budget and not (seen.counts.get("loaded_bytes") and seen.counts.get("stored_bytes")):
        return "the values are right, but the kernels load or store nothing, so the values are not theirs"
    return ""


def judge_value(outputs: Sequence[np.ndarray], prepared: Prepared) -> list[Comparison]:
    """Compare every output; a wrong number of outputs is one failed comparison."""
    if prepared.returns:
        return judge_played(outputs, prepared)
    if len(outputs) != len(prepared.expected):
        names = ", ".join(e.output.name for e in prepared.expected)
        kind = "array" if any(output.ndim for output in outputs) else "number"
        returned = counted(len(outputs), kind) + (" in all" if len(outputs) > 1 else "")
        return [Comparison(names, False, f"returned {returned}; expected {len(prepared.expected)}: {names}")]
    return [compare(got, want) for got, want in zip(outputs, prepared.expected, strict=True)]


def judge_played(outputs: Sequence[np.ndarray], prepared: Prepared) -> list[Comparison]:
    """Compare an object's answers step by step, up to the first step that went differently than it should."""
    found: list[Comparison] = []
    at = 0
    for number, ((method, _), count) in enumerate(zip(prepared.steps, prepared.returns, strict=True), 1):
        want = prepared.expected[at]
        went = int(outputs[at]) if at < len(outputs) and outputs[at].size == 1 else 0
        if went != int(want.truth):
            errors = prepared.arguments["errors"]
            said = f"{_went(went, errors)}; it should have {_went(int(want.truth), errors)}"
            said += ", as a list or a tuple" if went == 1 < want.truth else ""
            return [*found, Comparison(want.output.name, False, f"operation {number}, {method}, has {said}")]
        found += [compare(outputs[i], prepared.expected[i]) for i in range(at + 1, at + 1 + count)]
        at += 1 + count
    return found


def _due(prepared: Prepared, step: int) -> str:
    """The error that an object should have raised in the step (from 1) in which it raised another one."""
    if not prepared.returns or not step:
        return ""
    at = sum(1 + count for count in prepared.returns[: step - 1])
    due = int(prepared.expected[at].truth)
    return f"; it should have {_went(due, prepared.arguments['errors'])}" if due < 0 else ""


def _went(code: int, errors: Sequence[str]) -> str:
    """How a step went, by its first answer (see `play`)."""
    if code < 0:
        return f"raised {errors[-1 - code]}" if -1 - code < len(errors) else "raised an error"
    return "returned nothing" if code == 0 else f"returned {counted(code, 'value')}"


def ended(failure: Failure | None) -> bool:
    """Whether the submission's process ended, so that the next call needs a new one."""
    return failure is not None and failure.kind == Kind.ENDED


def _in_step(failure: Failure) -> str:
    return f"; it was in operation {failure.step}" if failure.step else ""


def say_failure(failure: Failure) -> str:
    if failure.is_hole:
        return f"calls {failure.function}, which is not attempted yet"
    where = f" in operation {failure.step}" if failure.step else ""
    return f"{failure.kind}{where}" + (f": {failure.message}" if failure.message else "")


def _is_memory(failure: Failure) -> bool:
    return failure.kind in ("MemoryError", "OutOfMemoryError")  # the second is torch's on a GPU


def case_result(prepared: Prepared, status: str, message: str) -> CaseResult:
    case = prepared.case
    return CaseResult(case.key, case.name, status, message, arguments=prepared.shown, tile=case.tile)
