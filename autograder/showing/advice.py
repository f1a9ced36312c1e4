"""What to do about an error whose own words say little to somebody who meets it for the first time."""

from __future__ import annotations

import ast
import re

from ..judging.verdict import CaseResult
from ..spec.exercise import Exercise

MISFIT = r"(?:\w+\.)*(\w+)\(\) (?:got an unexpected keyword argument|missing \d+ required|takes )"


def advice(exercise: Exercise, failed: CaseResult) -> str:
    """A sentence on the failed case, "" where its message says enough."""
    if "of type NoneType" in failed.message or "has returned nothing" in failed.message:
        return "Is `return` missing?"
    failure = failed.failure
    if failure is None or failure.kind != "TypeError" or failure.line:  # with a line, the learner's own call misfits
        return ""
    found = re.match(MISFIT, failure.message)
    line = def_line(exercise, found[1]) if found else ""
    return f"The checks call it as the lesson does; its first line has to be: {line}" if line else ""


def def_line(exercise: Exercise, name: str) -> str:
    """The line that begins a function or method of the course's answer, "" if it has none of that name."""
    source = "" if exercise.backend == "cuda" else exercise.source
    functions = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef))
    found = next((node for node in functions if node.name == name), None)
    if found is None:
        return ""
    found.body, found.decorator_list = [ast.Pass()], []
    return ast.unparse(found).partition("\n")[0]
