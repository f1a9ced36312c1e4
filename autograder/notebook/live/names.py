"""Names that are not there and that a lesson's other cells make."""

from __future__ import annotations

import ast
import contextlib
import os
import re
from collections import deque
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path, PurePath
from typing import Any

from simt import compiler
from simt.errors import MissingCompiler

from ...processes.helpers import runs_cuda
from ...spec import index, notebook
from ...spec.catalogue import exercises, lesson_of, lessons

RUN_ABOVE = "choose Run, Run All Above Selected Cell"
NOT_RUN = f"This kernel has not run a cell that makes {{}}: {RUN_ABOVE}."
OF_A_LESSON = "{0} is an exercise of {1}, and this kernel has run no cell that makes it."


def session_lesson(space: Mapping[str, Any]) -> str:
    """The stem of the lesson to whose notebook this kernel belongs, "" if to none or where nobody says."""
    return _lesson_in(str(space.get("__vsc_ipynb_file__") or os.environ.get("JPY_SESSION_NAME") or ""))


@cache
def _lesson_in(path: str) -> str:
    """The stem of the lesson that the notebook of this path is a copy of, under its own name or another."""
    stems = [lesson.stem for lesson in index.contents()]
    stem: Any = PurePath(path).stem
    if stem not in stems:
        with contextlib.suppress(OSError, ValueError):
            stem = notebook.read(Path(path).read_text(encoding="utf-8-sig")).metadata.get("tilewise", {}).get("lesson")
    return stem if stem in stems else ""


def missing_name(message: str) -> str:
    """The name that a NameError's message says is missing; "" if it says none."""
    found = re.match(r"name '(\w+)' is not defined", message)
    return found[1] if found else ""


def missing(name: str, stem: str) -> str:
    """A sentence on a name that the session lacks and that a cell of its lesson, or an exercise, makes; else ""."""
    if name not in made_in(stem):
        return OF_A_LESSON.format(name, lesson_of(exercises()[name]).notebook.name) if name in exercises() else ""
    if name in kernels_in(stem) and not runs_cuda():
        try:
            compiler.compiler()
        except MissingCompiler as missing_compiler:
            return f"{name} is a kernel of this lesson that cannot be compiled here: {missing_compiler}."
    return NOT_RUN.format(name)


def exercise_of_cell(cell_id: str | None, stem: str) -> str:
    """The exercise for which a cell of the lesson is made; "" if it is for none. JupyterLab says which cell is run."""
    made_for = (notebook.grade_id(cell) for cell in _code_of(stem) if cell.get("id") == cell_id)
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
