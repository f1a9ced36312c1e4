"""The learner's function beside the course's, line by line, once it has passed."""

from __future__ import annotations

import ast
import difflib
import textwrap

from ..judging.verdict import Verdict
from ..spec.code.names import DEFINITIONS
from ..spec.starter import unmarked, without_magic


def against_course(verdict: Verdict, context: int = 3) -> list[tuple[str, str]] | None:
    """(sign, line) pairs: "-" yours, "+" the course's, " " both, "~" lines left out. Empty if they are the same.

    Docstrings and blank lines do not count. None if one of the learner's functions cannot be found in its source.
    """
    if not verdict.exercise.engine.is_python:
        return _difference(_kernel_lines(verdict.source), _kernel_lines(verdict.exercise.source), context)
    mine: list[str] = []
    theirs: list[str] = []
    for name in (*(kernel.__name__ for kernel in verdict.exercise.kernels), verdict.name):
        pair = function_lines(verdict.source, name), function_lines(verdict.exercise.source, name)
        if pair[0] is None or pair[1] is None:
            return None
        mine, theirs = mine + pair[0], theirs + pair[1]
    return _difference(mine, theirs, context)


def _difference(mine: list[str], theirs: list[str], context: int) -> list[tuple[str, str]]:
    lines = list(difflib.unified_diff(mine, theirs, n=context, lineterm=""))[3:]
    return [("~", "") if line.startswith("@@") else (line[:1], line[1:]) for line in lines]


def _kernel_lines(source: str) -> list[str]:
    """The lines of a CUDA kernel without whole-line comments, among them its markers, and blank lines."""
    lines = [line.rstrip() for line in without_magic(source).split("\n")]
    return [line for line in lines if line and not line.lstrip().startswith("//")]


def function_lines(source: str, name: str) -> list[str] | None:
    """The lines of the last function called `name`, without docstring, markers and blank lines."""
    source = unmarked(textwrap.dedent(source))
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return None
    found = [n for n in ast.walk(tree) if isinstance(n, DEFINITIONS) and n.name == name]
    if not found:
        return None
    node = found[-1]
    left_out: range = range(0)
    if ast.get_docstring(node) is not None and len(node.body) > 1:
        left_out = range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1)
    first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
    lines = source.split("\n")
    kept = [lines[i - 1].rstrip() for i in range(first, (node.end_lineno or first) + 1) if i not in left_out]
    return [line for line in textwrap.dedent("\n".join(kept)).split("\n") if line]
