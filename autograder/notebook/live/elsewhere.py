"""Names that stand in other cells of the learner's: an answer finds them in the session, and a grade does not."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Container, Iterable
from itertools import takewhile

from ...grading.reading.surroundings import setup_for
from ...judging.verdict import OverBudget, Verdict
from ...spec.catalogue import exercises, lesson_of
from ...spec.code.leading import leading_to
from ...spec.code.names import names_in
from ...spec.exercise import Exercise
from .names import bound_by, missing_name

HANDED_IN = (
    "what you hand in is the exercise's cell, which is run after the lesson's first cell and your answers to earlier "
    "exercises. Write it in this cell."
)

LINE_MAGIC = "get_ipython"  # what IPython calls for a line with % or !, which a grade leaves out
LEFT_OUT = "from a line that only Jupyter reads, with ! or %: a grade leaves it out. Write Python in its place."


def elsewhere(exercise: Exercise, source: str, session: Container[str]) -> list[OverBudget]:
    """What is said of an answer that uses names of the session which a grade does not have."""
    names = [name for name in not_graded(exercise, source) if name in session]
    own = _from_jupyter(exercise.name, source)
    others = [name for name in names if name not in own]
    said = [f"{' and '.join(others)} from another cell: {HANDED_IN}"] if others else []
    said += [f"{' and '.join(own)} {LEFT_OUT}"] if own else []
    return [OverBudget("names", f"The answer uses {each}") for each in said]


def on_missing(verdict: Verdict) -> str:
    """A sentence on a name that an answer in a file lacked when it was called; "" if it was none."""
    failed = verdict.first_failure
    lacked = missing_name(failed.failure.message) if failed and failed.failure else ""
    if lacked and re.search(rf"^[ \t]*pass  # [\w, ]*\b{lacked}\b[\w, ]*=[ \t]*[%!]", verdict.source, re.M):
        return f"{lacked} is {LEFT_OUT}"
    there = lacked in not_graded(verdict.exercise, verdict.source)
    return f"{lacked} is not in the answer: {HANDED_IN}" if there else ""


def not_graded(exercise: Exercise, source: str) -> list[str]:
    """The names that an answer needs and that it has neither of its own nor from what a grade runs before it."""
    if not exercise.engine.is_python:
        return []
    try:
        used = names_in(ast.unparse(_needed(exercise.name, source)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    known = {LINE_MAGIC, *dir(builtins), *bound_by(setup_for(exercise)), *_own(source)}
    before = takewhile(lambda e: e is not exercise, exercises().values())
    for given in (*before, *lesson_of(exercise).exercises):
        known |= {given.name, *(kernel.__name__ for kernel in given.kernels)}
    return sorted(name for name in used - known if not name.startswith("__"))


def _from_jupyter(name: str, source: str) -> list[str]:
    """The names that an answer uses and that one of its lines with % or ! gives a value."""
    try:
        tree = _needed(name, source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # CUDA C++ is no Python
        return []
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    found = _given_by_jupyter(tree.body) & names_in(ast.unparse(tree))
    for nodes in (list(ast.walk(function)) for function in functions):
        used = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
        found |= _given_by_jupyter(nodes) & used
    return sorted(found)


def _given_by_jupyter(nodes: Iterable[ast.AST]) -> set[str]:
    lines = [n for n in nodes if isinstance(n, ast.Assign) and LINE_MAGIC in names_in(ast.unparse(n.value))]
    parts = (part for line in lines for target in line.targets for part in ast.walk(target))
    return {part.id for part in parts if isinstance(part, ast.Name)}


def _needed(name: str, source: str) -> ast.Module:
    """The answer without what nothing leads to, and without what is run once it is defined: a grade goes on there."""
    tree = leading_to(name, source)
    defined = [statement for statement in tree.body if getattr(statement, "name", "") == name]
    end = tree.body.index(defined[-1]) if defined else len(tree.body)
    definitions = ast.FunctionDef | ast.ClassDef
    tree.body = [s for at, s in enumerate(tree.body) if at < end or isinstance(s, definitions)]
    return tree


def _own(source: str) -> set[str]:
    """What an answer's text binds outside of its functions' variables: at its own level, in classes, as globals."""
    nodes = list(ast.walk(ast.parse(source)))
    found = set(bound_by(source))
    for node in nodes:
        if isinstance(node, ast.ClassDef):
            found.update(bound_by("\n".join(map(ast.unparse, node.body))))
        elif isinstance(node, ast.Global):
            found.update(node.names)
    return found
