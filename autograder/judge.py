"""From observations of single calls to a verdict: value, operations, memory and steps, then points and diagnosis.

The same for a check in the notebook and for an official grade; only where the calls ran differs.
"""

from __future__ import annotations

import ast
import contextlib
import itertools
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import torch

from .compare import Comparison, compare
from .compiled import Compiled
from .mutants import diagnose
from .prepare import Prepared, prepare, prepare_arguments, prepare_compiled
from .runner.arrays import Stream
from .runner.observe import Failure, Observation
from .runner.play import Step
from .spec import Arguments, Exercise
from .starter import STUB
from .verdict import CaseResult, OverBudget, Status, Verdict

Call = Callable[[Prepared, bool], "Observation | str"]  # (case, metered) -> what was seen, or a key of STOPPED
Compile = Callable[[Arguments], "list[Compiled]"]  # arguments of a launch -> what Triton's compiler says of its kernels

# What a call that gave no Observation becomes: status and message of its case.
STOPPED = {
    "timeout": ("timeout", "did not finish in time"),
    "interrupted": ("timeout", "was interrupted before it gave an answer; does a loop never end?"),
    "flagged": ("flagged", "the process answered with something that is no answer"),
}

ENDED = "ProcessEnded"  # the kind of failure of a submission that took its process with it

LONGEST = 300  # characters of a case's arguments that a card has room for

# How many calls, and seconds, to make the sequence of operations shorter at which an object fails.
MOST_TRIES, MOST_SECONDS = 60, 10.0

# Share of the points that an answer with right values keeps when it breaks a budget.
OVER_BUDGET_SHARE = 0.5

# What a launcher of Triton kernels may do with torch, beside what its exercise allows: allocate, and look at memory.
ALLOCATION_AND_VIEWS = {
    "empty", "empty_like", "empty_strided", "new_empty", "new_empty_strided", "zeros", "zeros_like", "new_zeros",
    "zero", "full", "full_like", "new_full", "fill", "ones", "ones_like", "new_ones",
    "view", "_unsafe_view", "_reshape_alias", "as_strided", "alias", "detach", "expand", "permute", "transpose", "t",
    "select", "slice", "squeeze", "unsqueeze", "unflatten", "split", "split_with_sizes", "unbind", "is_same_size",
}  # fmt: skip

# Ways out of torch, behind which neither operators nor bytes are seen.
LEAVES_TORCH = {f"torch.Tensor.{name}" for name in ("numpy", "__array__", "__dlpack__", "storage", "untyped_storage")}
READS_NUMBERS = {"torch.Tensor.tolist"}  # which a launcher of kernels leaves to them


@contextlib.contextmanager
def one_thread() -> Iterator[None]:
    """Run torch in one thread: on arrays as small as a case's, threads wait for each other longer than they work."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


@one_thread()
def judge(exercise: Exercise, source: str, seed: str, call: Call, compiled: Compile | None = None) -> Verdict:
    """Run every case through `call` and judge what was seen.

    source: the learner's code, for the syntax tree. `call` returns an Observation, or a key of STOPPED. A case
    after one that ran out of time is not run any more. `compiled` runs Triton's compiler where there is one; it is
    asked once every value is right.
    """
    if (exercise.kernels or exercise.backend == "cuda") and has_hole(exercise, source):
        return Verdict(exercise, "not_attempted", 0.0, source=source)
    results: list[CaseResult] = []
    failed: list[tuple[int, Sequence[np.ndarray]]] = []
    over = [*forbidden_in_source(exercise, source), *_missing_calls(exercise, source)]
    measured: dict[str, Any] = {}
    launched: set[str] = set()
    for index in range(len(exercise.cases)):
        prepared = prepare(exercise.name, index, seed)
        if results and results[-1].status in ("timeout", "skipped"):
            results.append(_result(prepared, "skipped", "not run, because an earlier case ran out of time"))
            continue
        seen = call(prepared, prepared.case.budget)
        result = judge_case(exercise, prepared, seen)
        whole = result
        first = not any(earlier.status in ("fail", "error") for earlier in results)  # the one that is shown
        if prepared.returns and first and result.status in ("fail", "error") and not _ended(result.failure):
            result = shortest(exercise, prepared, result, call)
        results.append(result)
        if index == 0 and _is_starter(exercise, result.failure, source):
            return Verdict(exercise, "not_attempted", 0.0, source=source)
        if isinstance(seen, Observation):
            over += _forbidden_at_run_time(exercise, seen, source)
            launched |= set(seen.kernels or ())
            if whole.status == "fail" and whole.outputs is not None:
                failed.append((index, whole.outputs))
            if prepared.case.budget and seen.outputs is not None:
                measured |= _measured(exercise, prepared, seen)
                over += _over_budget(exercise, prepared, seen, source)
    if compiled and _compiles(exercise) and all(result.status == "pass" for result in results):
        reports = compiled(prepare_compiled(exercise.name, seed) if exercise.compiled else {})
        measured |= {"compiled": [report.as_data() for report in reports if not report.failure]} if reports else {}
        over += _uncompiled(reports, source, launched)
    over = [next(group) for _, group in itertools.groupby(sorted(over, key=lambda o: o.kind), key=lambda o: o.kind)]
    status, points = score(exercise, results, over)
    passed = [index for index, result in enumerate(results) if result.status == "pass"]
    diagnosis = diagnose(exercise, seed, failed, passed)
    return Verdict(exercise, status, points, results, over, diagnosis, measured=measured, source=source)


def score(exercise: Exercise, results: Sequence[CaseResult], over: Sequence[OverBudget]) -> tuple[Status, float]:
    """Status and points. The first case is the plain one: an answer that misses it earns nothing.

    Otherwise each case is worth the same. A forbidden operation leaves nothing, another broken budget half, and of a
    puzzle, whose mistake it may be, nothing.
    """
    passed = sum(r.status == "pass" for r in results)
    earned = exercise.points * passed / len(results) if results[0].status == "pass" else 0.0
    if any(r.status == "flagged" for r in results):
        return "flagged", 0.0
    if any(o.kind == "operations" for o in over):
        return "fail", 0.0
    if over and exercise.puzzle:
        return "fail", 0.0
    if over:
        earned *= OVER_BUDGET_SHARE
    if passed == len(results):
        return ("partial" if over else "pass"), round(earned, 4)
    if earned:
        return "partial", round(earned, 4)
    worst = next(r.status for r in results if r.status != "pass")
    return worst, 0.0  # type: ignore[return-value]


def judge_case(exercise: Exercise, prepared: Prepared, seen: Observation | str) -> CaseResult:
    """One case: was there an answer, were the inputs left alone, are the values right?"""
    if isinstance(seen, str):
        return _result(prepared, *STOPPED[seen])
    if seen.failure:
        status = "memory" if _is_memory(seen.failure) else "error"
        result = _result(prepared, status, _say_failure(seen.failure) + _due(prepared, seen.failure.step))
        result.failure = seen.failure
        return result
    assert seen.outputs is not None
    comparisons = judge_value(seen.outputs, prepared)
    wrong = next((c for c in comparisons if not c.ok), None)
    result = _result(prepared, "fail" if wrong else "pass", wrong.message if wrong else "")
    result.comparisons, result.outputs = comparisons, seen.outputs
    if not wrong and seen.inputs_changed:
        result.status, result.message = "fail", "the inputs were changed; work on a copy, or write to a new array"
    elif not wrong and (idle := _idle_kernels(prepared, seen)):
        result.status, result.message = "fail", idle
    return result


def _idle_kernels(prepared: Prepared, seen: Observation) -> str:
    """What is missing where an answer made of numbers is none of a kernel's; nothing where kernels are not watched."""
    if seen.kernels is None or not any(output.size for output in seen.outputs or ()):
        return ""
    if not seen.kernels:
        return "the values are right, but no kernel was launched, and it is a kernel that has to compute them"
    if prepared.case.budget and not (seen.loads and seen.stores):
        return "the values are right, but the kernels load or store nothing, so they are none of theirs"
    return ""


def judge_value(outputs: Sequence[np.ndarray], prepared: Prepared) -> list[Comparison]:
    """Compare every output; a wrong number of outputs is one failed comparison."""
    if prepared.returns:
        return judge_played(outputs, prepared)
    if len(outputs) != len(prepared.expected):
        names = ", ".join(e.output.name for e in prepared.expected)
        return [Comparison(names, False, f"returned {len(outputs)} arrays; expected {len(prepared.expected)}: {names}")]
    return [compare(got, want) for got, want in zip(outputs, prepared.expected, strict=True)]


def judge_played(outputs: Sequence[np.ndarray], prepared: Prepared) -> list[Comparison]:
    """Compare an object's answers step by step, up to the first step that went another way than it should."""
    found: list[Comparison] = []
    at = 0
    for number, ((method, _), count) in enumerate(zip(prepared.steps, prepared.returns, strict=True), 1):
        want = prepared.expected[at]
        went = int(outputs[at]) if at < len(outputs) and outputs[at].size == 1 else 0
        if went != int(want.truth):
            errors = prepared.arguments["errors"]
            said = f"{_went(went, errors)}; it should have {_went(int(want.truth), errors)}"
            said += ", as a list or a tuple" if went == 1 < want.truth else ""
            return [*found, Comparison(want.output.name, False, f"step {number}, {method}, has {said}")]
        found += [compare(outputs[i], prepared.expected[i]) for i in range(at + 1, at + 1 + count)]
        at += 1 + count
    return found


def _due(prepared: Prepared, step: int) -> str:
    """The error that an object should have raised in the step, from 1, in which it raised another one."""
    if not prepared.returns or not step:
        return ""
    at = sum(1 + count for count in prepared.returns[: step - 1])
    due = int(prepared.expected[at].truth)
    return f"; it should have {_went(due, prepared.arguments['errors'])}" if due < 0 else ""


def _went(code: int, errors: Sequence[str]) -> str:
    """How a step went, by its first answer (see `play`)."""
    if code < 0:
        return f"raised {errors[-1 - code]}" if -1 - code < len(errors) else "raised an error"
    return "returned nothing" if code == 0 else f"returned {code} {'value' if code == 1 else 'values'}"


def shortest(exercise: Exercise, prepared: Prepared, result: CaseResult, call: Call) -> CaseResult:
    """The same failure with as few operations as can be found.

    Left out is what comes after the step that fails, then each method but for that step, since most steps only look;
    then pieces of half the length, a quarter, and so on down to single steps, from the end.
    """
    steps, best = list(prepared.steps), result
    tries, end_of_time = MOST_TRIES, time.monotonic() + MOST_SECONDS

    def shorten_to(kept: list[Step]) -> None:
        """Go on with these operations if they fail too."""
        nonlocal steps, best, tries
        if not 0 < len(kept) < len(steps) or not tries or time.monotonic() > end_of_time:
            return
        tries -= 1
        try:
            shorter = prepare_arguments(exercise, prepared.case, prepared.arguments | {"steps": kept})
        except Exception:  # the model cannot do without a step that was left out
            return
        seen = call(shorter, False)
        if not isinstance(seen, Observation) or _ended(seen.failure):  # the next try may be as dear
            tries = 0
            return
        tried = judge_case(exercise, shorter, seen)
        if tried.status == result.status:
            steps, best = kept, tried

    shorten_to(steps[: result.failure.step if result.failure else _failed_step(result, prepared)])
    for method in dict.fromkeys(method for method, _ in steps[:-1]):
        shorten_to([step for step in steps[:-1] if step[0] != method] + steps[-1:])
    size = len(steps) // 2
    while size:
        for end in range(len(steps), 0, -size):
            shorten_to(steps[: max(end - size, 0)] + steps[end:])
        size = min(size, len(steps)) // 2
    return best


def _ended(failure: Failure | None) -> bool:
    """Whether the process of the submission came to its end, and a new one has to be begun for the next call."""
    return failure is not None and failure.kind == ENDED


def _failed_step(result: CaseResult, prepared: Prepared) -> int:
    """The step, from 1, whose answer is the first wrong one."""
    wrong = next((i for i, c in enumerate(result.comparisons) if not c.ok), None)
    if wrong is None:
        return 0
    found = re.search(r"step (\d+)", result.comparisons[wrong].name)
    return int(found[1]) if found else 0


def forbidden_in_source(exercise: Exercise, source: str) -> list[OverBudget]:
    """Forbidden names that the syntax tree shows: attributes (np.logaddexp) and imported names."""
    if exercise.backend == "cuda":
        return []
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):  # it cannot run either
        return []
    except (RecursionError, MemoryError):  # Python's compiler, in the child, may get further than this
        return [OverBudget("operations", "is nested so deeply that it cannot be read", 1, 0)]
    for node in ast.walk(tree):
        names = [node.attr] if isinstance(node, ast.Attribute) else []
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [alias.name for alias in node.names] + [getattr(node, "module", None) or ""]
        for name in names:
            hit = _forbidden(exercise, name)
            if hit:
                line = getattr(node, "lineno", 0)
                return [_operations(hit, name, line, _line(source, line))]
    return []


def names_in(source: str) -> set[str]:
    """Names that the code uses as variables or functions, by its syntax tree; nothing if it does not parse."""
    try:
        return {node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)}
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()


def _missing_calls(exercise: Exercise, source: str) -> Iterable[OverBudget]:
    names = names_in(source)
    for name in exercise.calls if names else ():
        if name not in names:
            yield OverBudget("calls", f"never calls {name}, which is the point of this exercise", 0, 1)


def _forbidden_at_run_time(exercise: Exercise, seen: Observation, source: str) -> list[OverBudget]:
    for name, line in seen.operations.items():
        hit = _forbidden(exercise, name)
        if hit:
            return [_operations(hit, name, line, _line(source, line))]
        operator = name.split(".")[1].rstrip("_") if name.startswith("aten.") else ""
        if operator and exercise.backend == "triton" and operator not in {*ALLOCATION_AND_VIEWS, *exercise.allowed}:
            said = f"calls torch's {operator}: the launcher may only allocate, take views and launch"
            return [OverBudget("operations", said, 1, 0, line, _line(source, line))]
        if name in LEAVES_TORCH | (READS_NUMBERS if exercise.backend == "triton" else set()):
            said = f"calls {name}: stay within torch, because what is done outside it cannot be measured"
            return [OverBudget("operations", said, 1, 0, line, _line(source, line))]
    return []


def _forbidden(exercise: Exercise, name: str) -> str | None:
    return next((word for word in exercise.forbidden if word in name.rsplit("::", 1)[-1]), None)


def _operations(hit: str, name: str, line: int, text: str) -> OverBudget:
    return OverBudget(
        "operations", f"calls {name}, but {hit} is what this exercise asks you to write", 1, 0, line, text
    )


def _measured(exercise: Exercise, prepared: Prepared, seen: Observation) -> dict[str, int]:
    """What was counted and, where the exercise bounds it, what was allowed."""
    counts: dict[str, int] = {}
    for name, count, allowed in (
        ("peak_bytes", seen.peak_bytes, exercise.budget.memory),
        ("steps", seen.steps, exercise.budget.steps),
        ("loaded_bytes", seen.loads, exercise.budget.loads),
        ("stored_bytes", seen.stores, exercise.budget.stores),
        ("sectors", seen.sectors, exercise.budget.sectors),
        ("bank_conflicts", seen.conflicts, exercise.budget.conflicts),
    ):
        if count is not None:
            counts |= {name: count} | ({f"{name}_allowed": allowed(prepared.arguments)} if allowed else {})
    return counts


def _over_budget(exercise: Exercise, prepared: Prepared, seen: Observation, source: str) -> Iterable[OverBudget]:
    budget, arguments = exercise.budget, prepared.arguments
    if budget.memory and seen.peak_bytes is not None and seen.peak_bytes > budget.memory(arguments):
        allowed = budget.memory(arguments)
        text = f"allocated {in_bytes(seen.peak_bytes)} at its peak, allowed {in_bytes(allowed)} ({budget.memory_is})"
        yield OverBudget("memory", text, seen.peak_bytes, allowed, seen.peak_line, _line(source, seen.peak_line))
    if budget.steps and seen.steps is not None and seen.steps > budget.steps(arguments):
        allowed = budget.steps(arguments)
        text = f"executed {seen.steps} lines, allowed {allowed} ({budget.steps_are})"
        yield OverBudget("steps", text, seen.steps, allowed)
    moved = [(verb, count, allowed(arguments)) for verb, count, allowed in (
        ("loaded", seen.loads, budget.loads), ("stored", seen.stores, budget.stores),
    ) if allowed and count is not None]  # fmt: skip
    if any(count > allowed for _, count, allowed in moved):
        text = ", ".join(f"{verb} {in_bytes(n)}, allowed {in_bytes(m)}" for verb, n, m in moved if n > m)
        text += f" ({budget.traffic_is})" if budget.traffic_is else ""
        line = seen.busiest_line
        used, limit = (sum(amounts) for amounts in zip(*((n, m) for _, n, m in moved if n > m)))
        yield OverBudget("traffic", text, used, limit, line, _line(source, line))
    if budget.sectors and seen.sectors is not None and seen.sectors > budget.sectors(arguments):
        allowed, line = budget.sectors(arguments), seen.sector_line
        text = (
            f"touched {seen.sectors:,} sectors of 32 bytes in main memory, allowed {allowed:,} ({budget.sectors_are})"
        )
        yield OverBudget("sectors", text, seen.sectors, allowed, line, _line(source, line))
    if budget.conflicts and seen.conflicts is not None and seen.conflicts > budget.conflicts(arguments):
        allowed, line = budget.conflicts(arguments), seen.conflict_line
        text = (
            f"waited {seen.conflicts:,} times for a bank of shared memory, allowed {allowed:,} ({budget.conflicts_are})"
        )
        yield OverBudget("conflicts", text, seen.conflicts, allowed, line, _line(source, line))


def _compiles(exercise: Exercise) -> bool:
    return exercise.compiled is not None or exercise.backend == "cuda"


def _uncompiled(reports: Sequence[Compiled], source: str, launched: set[str]) -> Iterable[OverBudget]:
    for report in reports:
        if report.failure:
            failure = report.failure
            text = f"works without a GPU only: {report.target} refuses {report.kernel}: {_say_failure(failure)}"
            yield OverBudget("compile", text, 1, 0, failure.line, _line(source, failure.line))
    compiled = {report.kernel for report in reports}
    if compiled and launched and not compiled & launched:
        others = " and ".join(sorted(compiled)[:3])
        text = f"is untried: at the size of a real problem other kernels than in the cases are launched ({others})"
        yield OverBudget("compile", text, 1, 0)


def has_hole(exercise: Exercise, source: str) -> bool:
    """Whether the answer still has the starter's NotImplementedError, or #error, in one of its functions."""
    if exercise.backend == "cuda":
        return not exercise.puzzle and exercise.untouched(source)
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    names = {exercise.name, *(kernel.__name__ for kernel in exercise.kernels)}
    functions = [n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef) and n.name in names]
    raised = [n.exc for f in functions for n in ast.walk(f) if isinstance(n, ast.Raise)]
    return any(isinstance(exc, ast.Name) and exc.id == "NotImplementedError" for exc in raised)


def _is_starter(exercise: Exercise, failure: Failure | None, source: str) -> bool:
    """Whether the failure is that of the starter's hole; a class of which some methods are written is none."""
    if failure is None or failure.kind != "NotImplementedError":
        return False
    if isinstance(exercise.function, type):
        hole = STUB.splitlines()[-1]
        return not failure.message and source.count(hole) >= exercise.starter.count(hole)
    return failure.function == exercise.name


def _say_failure(failure: Failure) -> str:
    if failure.kind == "NotImplementedError" and not failure.message:
        return f"calls {failure.function}, which is not attempted yet"
    if failure.step:
        return f"{failure.kind} in step {failure.step}: {failure.message}"
    return f"{failure.kind}: {failure.message}"


def _is_memory(failure: Failure) -> bool:
    return failure.kind == "MemoryError" or "can't allocate memory" in failure.message


def _result(prepared: Prepared, status: str, message: str) -> CaseResult:
    return CaseResult(
        prepared.case.name, status, message, arguments=describe_arguments(prepared.arguments), tile=prepared.case.tile
    )


def describe_arguments(arguments: dict[str, Any]) -> str:
    """The arguments in one line, e.g. "x: (3, 101) float32, tile=32"; of an object the operations."""
    if "steps" in arguments and "init" in arguments:
        steps = [f"{method}({describe_arguments(given)})" for method, given in arguments["steps"]]
        return _with_an_end(f"made with {describe_arguments(arguments['init'])}", steps)
    return ", ".join(_describe(name, value) for name, value in arguments.items())


def _with_an_end(made: str, steps: list[str]) -> str:
    """The operations in at most LONGEST characters: the last ones, since there it fails."""
    first = 0
    while first < len(steps) - 1 and len(made) + sum(len(step) + 2 for step in steps[first:]) > LONGEST - 30:
        first += 1
    left_out = [f"{first} operation{'' if first == 1 else 's'} more"] if first else []
    return "; ".join([made, *left_out, *steps[first:]])


def _describe(name: str, value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"{name}: {value.shape} {value.dtype}"
    if isinstance(value, np.generic):
        return f"{name}: {value.dtype}"
    if isinstance(value, Stream):
        items = value.again()
        last = "" if len({_shapes(i) for i in items}) < 2 else f", the last of {_shapes(items[-1])}"
        return f"{name}: a stream of {len(items)} items of {_shapes(items[0])}{last}"
    return f"{name}={value}"


def _shapes(item: Any) -> str:
    if isinstance(item, tuple):
        return " and ".join(_shapes(x) for x in item)
    return f"{item.shape} {item.dtype}" if getattr(item, "ndim", 0) else "one number"


def in_bytes(n: float) -> str:
    """Bytes for people: 812 B, 24 kB, 1.05 MB."""
    for unit, size in (("MB", 1e6), ("kB", 1e3)):
        if n >= size:
            return f"{n / size:.3g} {unit}"
    return f"{int(n)} B"


def _line(source: str, number: int) -> str:
    lines = source.splitlines()
    return lines[number - 1].strip() if 0 < number <= len(lines) else ""
