"""A verdict in plain text for terminals and print(), and the sentences that the card shares with it."""

from __future__ import annotations

import ast
import re
import sys
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..judging.points import situations
from ..judging.tolerance import Comparison
from ..judging.verdict import CaseResult, Verdict
from ..runner.failure import Failure
from ..runner.meters import METERS, Meter
from ..runner.meters.words import amount, counted, in_bytes, in_words
from ..spec.exercise import Exercise
from .diff import against_course
from .error_map import WITHIN, ErrorMap, error_map
from .ladder import RUNGS, asking
from .markup import clip, number

WIDTH = 100
LONGEST = 500  # characters of what was counted: the words of all bounds on traffic have room
SAME = "Your lines are the course's, one for one."
WHAT_TO_DO = "Write the missing lines of the function, then run its cell again."
FIRST_CASE_COUNTS = "Points start with case 1: an answer that misses it earns none."
FORBIDDEN_EARNS_NONE = "An answer that uses a forbidden operation, or a name that a grade does not have, earns none."
PUZZLE_EARNS_NONE = "A puzzle earns none while its mistake is left in."
NO_SITUATION_COUNTS = (
    "Points are shared out over the situations that the exercise tries. A situation counts if all of its cases are "
    "right, and here none does."
)
MARK = {"pass": "+", "skipped": "."}  # any other status: "-"
RETURNED = {  # what a function gave in place of arrays, by its type
    "NoneType": "Is `return` missing?",
    "generator": "A function with `yield` in it is a generator: write `return` in its place.",
    "coroutine": "A function that begins with `async def` is not run when it is called: write `def`.",
    "Tensor": "The one number in a tensor is taken out by `.item()`.",
}
MISFIT = r"(?:\w+\.)*(\w+)\(\) (?:got an unexpected keyword|got multiple values for|missing \d+ required|takes )"
NO_GRID = {  # what Python says of a grid that is none
    "object of type 'int' has no len()": "A grid is a tuple, as in `kernel[(n,)](...)`.",
    "'float' object cannot be interpreted as an integer": "A grid has whole numbers; `triton.cdiv` rounds up.",
}
C_SLIPS = {  # what a compiler of C++ says of Python's habits
    "stray '#' in program": "A comment begins with `//`.",
    r"expected '\(' before ": "A condition stands in brackets, as in `if (i < n) { ... }`.",
    r"'(\w+)' was not declared .*: \1 = ": "`int i = ...;` declares a variable with its type.",
    r"'sync\w+' was not declared": "CUDA's own functions begin with two underscores, as in `__syncthreads()`.",
    r"no match for .*\buint3\b": "`threadIdx` and its like are three numbers each; the first is `threadIdx.x`.",
    "assignment of read-only location": "What a `const` pointer leads to is only read.",
    "return-statement with a value": "A kernel returns nothing: it stores what it has found.",
}
# By the names that lessons give them.
MODULES = {"np": "numpy", "torch": "torch", "tl": "triton.language", "dist": "torch.distributed"}


def text(verdict: Verdict, in_terminal: bool = False) -> str:
    """The verdict in about 25 lines at most. in_terminal: where hint(f) cannot be called."""
    return "\n".join([_first_line(verdict), *(f"  {line}" for line in _body(verdict, in_terminal))])


def _first_line(verdict: Verdict) -> str:
    marks = "".join(MARK.get(c.status, "-") for c in verdict.cases[:60])
    parts = [f"{verdict.name}: {verdict.headline}", f"[{marks}] {tally(verdict)}" if marks else "", points(verdict)]
    return "   ".join(filter(None, parts))


def _body(verdict: Verdict, in_terminal: bool) -> Iterator[str]:
    if verdict.note:
        yield from _wrap(verdict.note)
    if verdict.status == "not_attempted":
        yield WHAT_TO_DO
    failed = verdict.first_failure
    if failed:
        yield from _failure(verdict, failed)
    for over in verdict.over:
        yield from _wrap(f"{over.label}: {over.message}", LONGEST)
        if over.line:
            yield f"  {where(over.line)}: {clip(over.text, 90)}"
    if verdict.diagnosis:
        yield from _wrap(diagnosis(verdict))
        rung = verdict.diagnosis.hint
        yield f"{asking(verdict.name, rung, in_terminal)} shows {RUNGS[rung - 1]}."
    if failed:
        yield from _size(failed)
    yield from _wrap(why_no_points(verdict))
    if not verdict.diagnosis and verdict.status not in ("pass", "infra", "flagged"):
        next_one = asking(verdict.name, None, in_terminal)
        yield f"{next_one} shows the next of {len(verdict.exercise.ladder)} hints."
    if verdict.status == "pass":
        for label, used in measured(verdict):
            yield from _wrap(f"{label}: {used}", LONGEST)
        if others := dict(folded(verdict)):
            yield from _wrap(f"also counted: {', '.join(others)}")
        yield from _difference(verdict)


def _failure(verdict: Verdict, failed: CaseResult) -> Iterator[str]:
    yield from _wrap(f"{case_label(verdict)}: {failed.name}")
    yield from _wrap(f"  given {failed.arguments}")
    yield from _wrap(f"  {failed.message}")
    if said := advice(verdict, failed):
        yield from _wrap(f"  {said}")
    if failed.failure and failed.failure.line:
        yield f"  {where(failed.failure.line, failed.failure.function)}: {clip(failed.failure.text, 90)}"
    if failed.numbers:
        yield from (f"    {line}" for line in table(failed.numbers).splitlines())


def advice(verdict: Verdict, failed: CaseResult) -> str:
    """A sentence on the failed case, "" where its message says enough."""
    if "has returned nothing" in failed.message:
        return RETURNED["NoneType"]
    if returned := re.search(r"the output is of type (\w+)", failed.message):
        return " ".join(filter(None, [RETURNED.get(returned[1]), _several_results(verdict.exercise)]))
    failure = failed.failure
    if failure and failure.message.startswith("No module named 'kernels"):
        return "The course's answers cannot be imported; what earlier exercises define is there without an import."
    if failure and failure.kind == "SystemExit":
        return "This ends Python, and nothing is returned: write `return` in its place."
    if failure and "NoneType" in failure.message and (names := _returning_nothing(verdict)):
        return f"{' and '.join(names)} returns nothing: is `return` missing?"
    if failure and verdict.exercise.engine.launches_triton and (meant := _launching(verdict, failure)):
        return meant
    if failure and failure.kind == "CompileError":
        said = f"{failure.message}: {failure.text}"
        return next((meant for slip, meant in C_SLIPS.items() if re.search(slip, said)), "")
    if failure and failure.kind == "NameError" and (meant := _in_modules(verdict, failure)):
        return f"Is {meant} meant?"
    if failure is None or failure.kind != "TypeError" or failure.line:  # with a line, the learner's own call misfits
        return ""
    found = re.match(MISFIT, failure.message)
    line = def_line(verdict.exercise, found[1]) if found else ""
    return f"The checks call it as the lesson does; its first line has to be: {line}" if line else ""


def _several_results(exercise: Exercise) -> str:
    """What a function has to return where that is more than one result; else ""."""
    names = [output.name for output in exercise.outputs]
    return f"It has to return {len(names)} results: {', '.join(names)}." if len(names) > 1 else ""


def _returning_nothing(verdict: Verdict) -> list[str]:
    """The functions and methods of an answer that return no value, where the course's of that name do."""
    should = _functions(verdict.exercise.source, returning=True)
    return [name for name in _functions(verdict.source, returning=False) if name in should]


def _in_modules(verdict: Verdict, failure: Failure) -> str:
    """Where the missing name is found: in a module that the function in which it is missing uses; "" if in none."""
    missing = re.match(r"name '(\w+)' is not defined(?!;)", failure.message)
    nodes = [n for f in _defined(verdict.source) if f.name == failure.function for n in ast.walk(f)]
    used = {n.value.id for n in nodes if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name)}
    found = [
        f"`{alias}.{missing[1]}`"
        for alias, module in MODULES.items()
        if missing and alias in used and hasattr(sys.modules.get(module), missing[1])
    ]
    return " or ".join(found)


def _launching(verdict: Verdict, failure: Failure) -> str:
    """What a Triton kernel, its launch or its grid lacks, where that is why the call failed; else ""."""
    functions = _defined(verdict.source)
    kernels = {f.name for f in functions if "jit" in _named(f.decorator_list)}
    launchers = {f.name: f for f in functions if f.name not in kernels}
    for call in (node for f in launchers.values() for node in ast.walk(f)):
        match call:
            case ast.Call(func=ast.Name(name)) if name in kernels:
                return f"{name} has no grid here; a kernel is launched as in `kernel[(n,)](...)`."
            case ast.Call(func=ast.Subscript(ast.Name(name))) if name in launchers:
                return f"Is `@triton.jit` missing above {name}?"
    if failure.function in kernels and failure.kind == "IndexError" and ".shape[" in failure.text:
        return "What a kernel is given is an address, without a shape: the launcher hands over what it has to know."
    return NO_GRID.get(failure.message, "") if "](" in failure.text else ""


def _named(nodes: Sequence[ast.AST]) -> set[str]:
    """Names and attributes anywhere in the nodes; `ast.unparse` would fail at deep ones."""
    inner = [node for outer in nodes for node in ast.walk(outer)]
    return {n.id for n in inner if isinstance(n, ast.Name)} | {n.attr for n in inner if isinstance(n, ast.Attribute)}


def _defined(source: str) -> list[ast.FunctionDef]:
    """The functions and methods of a source; none if Python cannot read it."""
    try:
        return [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []


def _functions(source: str, returning: bool) -> list[str]:
    """The names of those that return a value, or of those that do not."""
    kinds = (ast.Yield, ast.YieldFrom)
    return [
        function.name
        for function in _defined(source)
        if any(isinstance(n, kinds) or (isinstance(n, ast.Return) and n.value) for n in ast.walk(function)) is returning
    ]


def def_line(exercise: Exercise, name: str) -> str:
    """What begins a function or method of the course's answer, on one line; "" if it has none of that name."""
    source = exercise.source if exercise.engine.is_python else ""
    functions = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef))
    found = next((node for node in functions if node.name == name), None)
    if found is None:
        return ""
    lines = source.splitlines()[found.lineno - 1 : found.body[0].lineno - 1]
    words = " ".join(re.sub(r"\s*#.*", "", line) for line in lines).split()
    return " ".join(words).replace("( ", "(").replace(", )", ")").replace(" )", ")")


def _size(failed: CaseResult) -> Iterator[str]:
    bound = rule(failed.worst)
    if bound:
        yield from _wrap(bound)
    picture = error_map(failed, most=16)
    if picture:
        yield from _wrap(picture.sentence())
        yield from (f"  {line}" for line in _grid(picture))


def _grid(picture: ErrorMap) -> Iterator[str]:
    """The wrong tiles as "#", or the wrong elements where there is no tile grid; nothing if all or too many."""
    cells = picture.wrong_tiles if picture.wrong_tiles is not None else picture.levels > WITHIN
    elements = picture.wrong_tiles is None
    if cells.all() or cells.shape[0] > 16 or cells.shape[1] > 64 or (elements and picture.step != (1, 1)):
        return
    for row in cells:
        yield "".join("#" if wrong else "." for wrong in row)


def _difference(verdict: Verdict) -> Iterator[str]:
    lines = against_course(verdict, context=0)
    if lines is None:
        return
    if not lines:
        yield SAME
        return
    yield "- yours, + the course's:"
    lines = [(sign, line) for sign, line in lines if sign != "~"]
    yield from (f"  {sign} {clip(line, 92)}" for sign, line in lines[:12])
    if len(lines) > 12:
        yield f"  and {len(lines) - 12} more"


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


def _wrap(line: str, longest: int = 3 * WIDTH) -> list[str]:
    """So many characters of `line` at most, in lines of the terminal with its own indentation."""
    indent = " " * (len(line) - len(line.lstrip()))
    body, inner, most = " ".join(clip(line, longest).split()), indent + "  ", longest // WIDTH
    wrapper = textwrap.TextWrapper(WIDTH, indent, inner, max_lines=most, placeholder=" ...")
    return wrapper.wrap(body)
