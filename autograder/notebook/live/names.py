"""Names that are not there and that a lesson's other cells make."""

from __future__ import annotations

import ast
import os
import re
from collections import deque
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import PurePath
from typing import Any

from simt import compiler
from simt.errors import MissingCompiler

from ...processes.helpers import runs_cuda
from ...spec import notebook
from ...spec.catalogue import lessons

RUN_ABOVE = "choose Run, Run All Above Selected Cell"
NOT_RUN = f"This kernel has not run a cell that makes {{}}: {RUN_ABOVE}."


def session_notebook(space: Mapping[str, Any]) -> str:
    """The path of the notebook to which this kernel belongs, "" where nobody says."""
    return str(space.get("__vsc_ipynb_file__") or os.environ.get("JPY_SESSION_NAME") or "")


def missing_name(message: str) -> str:
    """The name that a NameError's message says is missing; "" if it says none."""
    found = re.match(r"name '(\w+)' is not defined", message)
    return found[1] if found else ""


def missing(name: str, path: str) -> str:
    """A sentence on a name that the session lacks and that a cell of the lesson makes; "" if none does."""
    if name not in made_in(PurePath(path).stem):
        return ""
    if name in kernels_in(PurePath(path).stem) and not runs_cuda():
        try:
            compiler.compiler()
        except MissingCompiler as missing_compiler:
            return f"{name} is a kernel of this lesson that cannot be compiled here: {missing_compiler}."
    return NOT_RUN.format(name)


def exercise_of_cell(cell_id: str | None, path: str) -> str:
    """The exercise for which a cell of the lesson is made; "" if it is for none. JupyterLab says which cell is run."""
    made_for = (notebook.grade_id(cell) for cell in _code_of(PurePath(path).stem) if cell.get("id") == cell_id)
    return next((name.removeprefix(notebook.SOLVE) for name in made_for if name.startswith(notebook.SOLVE)), "")


def made_in(stem: str) -> frozenset[str]:
    """The names that a lesson's cells make, in the notebook as it is given out."""
    return frozenset(name for cell in _code_of(stem) for name in bound_by(cell.source))


def kernels_in(stem: str) -> frozenset[str]:
    """Those that are kernels in CUDA C++, which a compiler has to take before the name is there."""
    return frozenset(
        name for cell in _code_of(stem) if cell.source.startswith("%%cuda") for name in bound_by(cell.source)
    )


@cache
def _code_of(stem: str) -> tuple[notebook.Cell, ...]:
    """The code cells of a lesson's notebook as it is given out; none if it is no lesson's."""
    lesson = next((lesson for lesson in lessons() if lesson.stem == stem), None)
    if lesson is None:
        return ()
    cells = notebook.read(lesson.notebook.read_text(encoding="utf-8")).cells
    return tuple(cell for cell in cells if cell.cell_type == "code")


def bound_by(cell: str) -> Iterator[str]:
    """The names that the code of a cell binds at its own level, those of definitions in their order."""
    if kernel := re.match(r"%%cuda[ \t]+(\w+)", cell):
        yield kernel[1]
        return
    try:
        waiting = deque[ast.AST]([ast.parse(re.sub(r"^[ \t]*[%!].*$", "", cell, flags=re.M))])
    except (SyntaxError, ValueError, RecursionError):
        return
    while waiting:
        node = waiting.popleft()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from ((alias.asname or alias.name).partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif not isinstance(node, ast.comprehension | ast.Lambda):
            waiting += ast.iter_child_nodes(node)
