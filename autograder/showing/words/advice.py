"""One sentence more on a failed case, where what Python or a compiler says does not tell a beginner what to do."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Sequence

from ...judging.verdict import CaseResult, Verdict
from ...runner.failure import Failure
from ...spec.exercise import Exercise

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
