"""What a grade depends on, in twelve letters: a class whose fingerprint has changed is graded again.

Counted are the code that reads, runs and judges answers, cases, budgets, solutions and oracles, what was measured and
cases are drawn with, and the setup cells of the lessons. Not counted is what people only read: pages and cards,
comments, docstrings, hints, mistakes, questions, and the sentences of cases and budgets.
"""

from __future__ import annotations

import ast
import contextlib
import hashlib
import io
import json
import re
import tokenize
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from simt.compiler import cache_folder

from ..exercises import measured
from ..processes.files import write_atomically
from ..spec.catalogue import exercises
from ..spec.folders import KERNELS, LESSONS, MEASURED, PACKAGES, SIMT

JUDGES = ("runner", "spec", "exercises", "processes", "backends", "judging", "grading/reading", "grading/screening")
GRADES = ("grade", "session")  # beside this module
PROSE = {"Mutant", "Question"}  # of which nothing decides a grade
SENTENCES = {"hints", "mutants", "without"}  # arguments of Exercise
SENTENCE_AT = {"Case": 1, "Bound": 1, "a_quarter_more": 1}  # which argument is one

Span = tuple[tuple[int, int], tuple[int, int]]  # (line, column) of the first byte and of the one after the last


@cache
def fingerprint() -> str:
    """The fingerprint of the course as it is installed here. It is kept, since reading all files takes two seconds."""
    mistakes = sorted((PACKAGES / "autograder" / "exercises").glob("*.md"))
    whole = hashlib.sha256()
    for path in (Path(__file__), MEASURED, *_files(), *mistakes, *sorted(LESSONS.glob("*.ipynb"))):
        whole.update(str(path).encode() + b"\0" + path.read_bytes())
    kept = cache_folder() / f"fingerprint-{whole.hexdigest()}"
    try:
        return kept.read_text()
    except OSError:
        found = _of_what_decides()
        with contextlib.suppress(OSError):  # where nothing can be kept
            write_atomically(kept, found)
        return found


def _of_what_decides() -> str:
    digest = hashlib.sha256()
    for path in _files():
        digest.update(path.relative_to(PACKAGES).as_posix().encode() + b"\0")
        digest.update(what_decides(path.read_text(encoding="utf-8"), path.suffix).encode() + b"\0")
    for notebook in sorted(LESSONS.glob("*.ipynb")):
        digest.update(setup_of(json.loads(notebook.read_text(encoding="utf-8"))).encode() + b"\0")
    for puzzle in (exercise for exercise in exercises().values() if exercise.puzzle):
        digest.update(puzzle.starter.encode() + b"\0")  # made by a mistake, the only one that counts
    digest.update(repr((measured.PEAK, measured.BANDWIDTH)).encode())  # the only ones that cases are drawn with
    return digest.hexdigest()[:12]


def _files() -> Iterator[Path]:
    autograder = PACKAGES / "autograder"
    for folder in (KERNELS, SIMT, *(autograder / name for name in JUDGES)):
        yield from sorted(path for suffix in ("py", "cu", "cuh", "h", "cpp") for path in folder.rglob(f"*.{suffix}"))
    yield from (autograder / "grading" / f"{name}.py" for name in GRADES)


def what_decides(text: str, suffix: str = ".py") -> str:
    """The text of a file without what people only read, and without blank lines and spaces at the ends of lines."""
    if suffix == ".py":
        lines = text.encode().split(b"\n")
        for (line, start), (last, end) in sorted({*_comments(text), *_prose(ast.parse(text))}, reverse=True):
            lines[line - 1 : last] = [lines[line - 1][:start] + lines[last - 1][end:]]
        text = b"\n".join(lines).decode()
    else:
        text = re.sub(r"//.*", "", text)
    return "\n".join(line.rstrip() for line in text.split("\n") if line.strip())


def setup_of(notebook: dict[str, list[dict[str, Any]]]) -> str:
    """The setup cells of a lesson, which run before an answer, from its notebook's JSON."""
    cells = [cell for cell in notebook["cells"] if "setup" in cell["metadata"].get("tags", ())]
    return "\n".join("".join(cell["source"]) for cell in cells)


def _comments(text: str) -> Iterator[Span]:
    lines = text.split("\n")
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            row = token.start[0]
            start, end = (len(lines[row - 1][:column].encode()) for column in (token.start[1], token.end[1]))
            yield (row, start), (row, end)


def _prose(node: ast.AST, read: Sequence[ast.expr] = ()) -> Iterator[Span]:
    """Docstrings, and in exercises what is said of a case or a budget. read: children of the node that are prose."""
    for child in ast.iter_child_nodes(node):
        text = child.value if isinstance(child, ast.keyword | ast.Expr) else child
        is_docstring = isinstance(child, ast.Expr) and isinstance(text, ast.Constant) and isinstance(text.value, str)
        if isinstance(text, ast.expr) and (is_docstring or text in read):
            yield (text.lineno, text.col_offset), (text.end_lineno or 0, text.end_col_offset or 0)
        else:
            yield from _prose(child, _read_by_people(child) if isinstance(child, ast.Call) else ())


def _read_by_people(call: ast.Call) -> list[ast.expr]:
    """The arguments of a call that only people read."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name in PROSE:
        return [*call.args, *(keyword.value for keyword in call.keywords)]
    if at := SENTENCE_AT.get(name):
        return call.args[at : at + 1] + [k.value for k in call.keywords if k.arg in ("name", "words")]
    if name == "Exercise":
        return [k.value for k in call.keywords if k.arg in SENTENCES]
    return []
