"""What stands in an exercise's cell before it is answered: the starter given back, or an own, earlier answer."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from pathlib import Path

from ..judging.verdict import Verdict
from ..processes.files import free_name, write_atomically
from ..spec import notebook, starter
from ..spec.catalogue import exercise_named
from ..spec.exercise import Exercise
from ..spec.folders import LESSONS
from ..spec.user_error import UserError
from .progress import copy_of, folder

PASSED = ".passed"  # a folder of the learner's answers that passed, the last for each exercise


def reset(stem: str, name: str) -> str:
    """Put the starter of the exercise into its cell, and the answer into a file NAME.before-DATE; returns what is done.

    Cards below it go, as they speak of the answer. Raises UserError where there is no copy, or none with that cell.
    """
    path = copy_of(stem).resolve()
    try:
        copy = notebook.read(path.read_text(encoding="utf-8-sig"))
    except ValueError as error:
        raise UserError(f"{path} is {error}; `tilewise lab` keeps it aside and makes a fresh copy") from None
    released = notebook.read((LESSONS / f"{stem}.ipynb").read_text(encoding="utf-8"))
    given = next(cell for cell in released.cells if notebook.grade_id(cell) == notebook.SOLVE + name)
    own = [cell for cell in copy.cells if notebook.grade_id(cell) == notebook.SOLVE + name]
    if not own:
        raise UserError(f"{path} no longer has the cell of {name}; copy that from the notebook in {LESSONS}")
    elsewhere = [c for c in copy.cells if c not in own and c.cell_type == "code" and notebook.defines(c.source, name)]
    also = f" Another cell defines {name} too, and counts; delete it if it should not." if elsewhere else ""
    if all(cell.source == given.source for cell in own):
        return f"The cell of {name} in {path} is as it was given out.{also}"
    suffix = ".cu" if own[-1].source.startswith("%%cuda") else ".py"
    aside = free_name(path.with_name(name + suffix), "before")
    write_atomically(aside, "\n\n".join(starter.without_magic(cell.source) for cell in own) + "\n")
    for cell in own:
        cell.source = given.source
    for cell in copy.cells:
        if notebook.grade_id(cell) in (notebook.SOLVE + name, notebook.CHECK + name):
            cell.outputs, cell.execution_count = [], None
    write_atomically(path, notebook.as_text(copy))
    reload = "Where it is open in JupyterLab, choose File, Reload Notebook from Disk."
    return f"{name} in {path} is the starter again; your answer is kept as {aside.name}.{also} {reload}"


def keep(verdict: Verdict) -> None:
    """Keep an answer that has passed, for the exercise that begins with it. Never raises: a check goes on without."""
    if verdict.status != "pass":
        return
    with contextlib.suppress(OSError):
        path = _kept(verdict.name)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, verdict.source)


def passed(name: str) -> str | None:
    """The learner's last answer to an exercise that passed; None if there is none."""
    try:
        return _kept(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None


def begun(exercise: Exercise, answer_to: Callable[[str], str | None] = passed) -> tuple[str, list[str]] | None:
    """The exercise's cell with earlier answers in its holes, and the names of the exercises that they answer.

    None if no hole begins with an earlier answer, if there is none, or if it has other lines around its holes than
    were given.
    """
    answers = [source and _answer(*source, answer_to(source[0])) for source in starter.begun_by(exercise.source)]
    names = list(dict.fromkeys(answer[0] for answer in answers if answer))
    return (starter.opened(exercise.cell(with_solution=True), answers), names) if names else None


def _answer(name: str, parts: Sequence[tuple[int, int]], answer: str | None) -> tuple[str, str] | None:
    marked = exercise_named(name).cell(with_solution=True)
    found = [starter.between(marked, answer or "", first, last) for first, last in parts]
    lines = [part for part in found if part]
    return (name, "\n".join(lines)) if len(lines) == len(parts) else None


def _kept(name: str) -> Path:
    return folder() / PASSED / f"{name}.txt"
