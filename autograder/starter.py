"""From a solution's source to the two cells made of it: the starter with a hole, and the solved cell with markers."""

from __future__ import annotations

import ast
import re

BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"
STUB = "# TODO: write this part\nraise NotImplementedError"

_REGION = re.compile(rf"^(?P<indent>[ ]*){BEGIN}\n.*?^[ ]*{END}[ ]*\n?", re.S | re.M)


def solved(source: str) -> str:
    """The function with its hole marked: as it stands if it has markers, else with markers around its whole body."""
    if BEGIN in source:
        return source.rstrip("\n")
    lines = source.rstrip("\n").split("\n")
    start = _first_body_line(source)
    indent = re.match(r" *", lines[start])[0]  # type: ignore[index]
    return "\n".join([*lines[:start], indent + BEGIN, *lines[start:], indent + END])


def starter(source: str) -> str:
    """The function with its hole empty: what the learner opens."""
    marked = solved(source) + "\n"

    def hole(match: re.Match[str]) -> str:
        return "".join(f"{match['indent']}{line}\n" for line in STUB.split("\n"))

    return _REGION.sub(hole, marked).rstrip("\n")


def _first_body_line(source: str) -> int:
    """Index of the line on which the body begins, behind the docstring."""
    function = ast.parse(source).body[0]
    assert isinstance(function, ast.FunctionDef)
    if ast.get_docstring(function) is None:
        return function.body[0].lineno - 1
    docstring_end = function.body[0].end_lineno
    assert docstring_end is not None and len(function.body) > 1
    return docstring_end
