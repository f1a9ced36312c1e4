"""What is asked of an answer beside its values: operations, calls, budgets, and that it compiles."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from ..backends.assembly import Compiled
from ..runner.observe import Observation
from ..spec.exercise import Exercise
from ..spec.syntax import names_in
from ..spec.words import in_bytes
from .cases import say_failure
from .prepare import Prepared
from .verdict import OverBudget

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


def missing_calls(exercise: Exercise, source: str) -> Iterable[OverBudget]:
    names = names_in(source)
    for name in exercise.calls if names else ():
        if name not in names:
            yield OverBudget("calls", f"never calls {name}, which is the point of this exercise", 0, 1)


def forbidden_at_run_time(exercise: Exercise, seen: Observation, source: str) -> list[OverBudget]:
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


def measured_counts(exercise: Exercise, prepared: Prepared, seen: Observation) -> dict[str, int]:
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


def over_budget(exercise: Exercise, prepared: Prepared, seen: Observation, source: str) -> Iterable[OverBudget]:
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


def has_compiler_check(exercise: Exercise) -> bool:
    return exercise.compiled is not None or exercise.backend == "cuda"


def uncompiled(reports: Sequence[Compiled], source: str, launched: set[str]) -> Iterable[OverBudget]:
    for report in reports:
        if report.failure:
            failure = report.failure
            text = f"works without a GPU only: {report.target} refuses {report.kernel}: {say_failure(failure)}"
            yield OverBudget("compile", text, 1, 0, failure.line, _line(source, failure.line))
    compiled = {report.kernel for report in reports}
    if compiled and launched and not compiled & launched:
        others = " and ".join(sorted(compiled)[:3])
        text = f"is untried: at the size of a real problem other kernels than in the cases are launched ({others})"
        yield OverBudget("compile", text, 1, 0)


def _line(source: str, number: int) -> str:
    lines = source.splitlines()
    return lines[number - 1].strip() if 0 < number <= len(lines) else ""
