"""The learner's own copies of the lessons, in work/. Nothing that a learner wrote is ever overwritten or deleted.

A copy remembers, in its metadata, a hash of every cell as it was released. A cell without its hash there is the
learner's. When a lesson changes, their answers move into the new version, and the old copy is kept beside it.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import nbformat

from ..processes.files import free_name, write_atomically
from ..spec import notebook
from ..spec.catalogue import Lesson, lessons
from ..spec.folders import CHECKOUT, ROOT
from ..spec.notebook import Cell, Notebook
from ..spec.user_error import UserError
from .progress import folder


def prepare(chosen: Sequence[Lesson]) -> Iterator[str]:
    """Bring the learner's copies of the chosen lessons up to date; yields a sentence for each that changed.

    They lie beside the progress file. Interrupted at any moment it leaves every copy whole, old or new.
    """
    before = dict(_copies())
    # New lessons first: one may have been cut off another, from whose copy its answers come while they are there.
    for lesson in sorted(chosen, key=lambda lesson: (folder() / lesson.notebook.name).exists()):
        if lesson.notebook.exists():
            yield from _bring_up_to_date(lesson, folder() / lesson.notebook.name, before)
    yield from _without_untouched_copies_of_former_lessons(before)


def open_lab() -> None:
    """Become JupyterLab with the first lesson open. Raises UserError if there is none or JupyterLab is missing."""
    copies = (folder() / lesson.notebook.name for lesson in lessons())
    first = next((copy for copy in copies if copy.exists()), None)
    if first is None:
        raise UserError("there is no lesson to open yet; `tilewise build` writes the notebooks")
    if importlib.util.find_spec("jupyterlab") is None:
        raise UserError("JupyterLab is not installed; `tilewise doctor` names the command that installs it")
    if CHECKOUT:  # so that a notebook finds the course where it is not installed
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    # At this log level JupyterLab says where it can be reached and what goes wrong. As root, often the only user of a
    # container, it starts only if told to.
    options = ["--ServerApp.log_level=WARN", *(["--allow-root"] if os.geteuid() == 0 else [])]
    os.execvp(sys.executable, [sys.executable, "-m", "jupyterlab", str(first), *options])


def _bring_up_to_date(lesson: Lesson, path: Path, before: dict[Path, Notebook]) -> Iterator[str]:
    released = notebook.read(lesson.notebook.read_text(encoding="utf-8"))
    hashes = [_hash(cell) for cell in released.cells]
    if not path.exists():
        updated, origins = _with_answers_of(before, lesson, released)
        _write(updated, hashes, path)
        yield f"{path.name} was copied" + (f", with your answers in {' and '.join(origins)}" if origins else "")
        return
    try:
        copy = notebook.read(path.read_text(encoding="utf-8-sig"))
    except ValueError:
        aside = free_name(path, "unreadable")
        os.replace(path, aside)
        _write(released, hashes, path)
        yield f"{path.name} could not be read: it is kept as {aside.name}, and a fresh copy is there"
        return
    if _released(copy) == hashes:
        return
    theirs = _changed(copy)
    if not theirs:
        _write(released, hashes, path)
        yield f"{path.name} was updated"
        return
    updated, homeless = _move(lesson, released, theirs)
    others = (copy for other, copy in _copies() if other != path) if homeless else ()
    elsewhere = {cell.source for copy in others for cell in copy.cells}
    left = sum(cell.source not in elsewhere for cell in homeless)
    aside = free_name(path, "before")
    shutil.copy2(path, aside)
    _write(updated, hashes, path)
    yield f"{path.name} was updated with your answers in it; the old one is kept as {aside.name}"
    if left:
        cells = "cell of yours stays" if left == 1 else "cells of yours stay"
        yield f"  {left} {cells} there only; copy what you still need"


def _with_answers_of(copies: dict[Path, Notebook], lesson: Lesson, released: Notebook) -> tuple[Notebook, list[str]]:
    """The notebook with what copies of other lessons, past or present, answer of it, and the names of those."""
    theirs: list[Cell] = []
    origins = []
    for path, copy in copies.items():
        changed = _changed(copy)
        if len(_move(lesson, released, changed)[1]) < len(changed):
            theirs += changed
            origins.append(path.name)
    return (_move(lesson, released, theirs)[0] if theirs else released), origins


def _without_untouched_copies_of_former_lessons(copies: dict[Path, Notebook]) -> Iterator[str]:
    """Removes what would lie beside a new lesson of the same number, if it is as given out, or was only run."""
    current = {lesson.notebook.name for lesson in lessons()}
    for path, copy in copies.items():
        if path.name not in current and _released(copy) and not _changed(copy):
            path.unlink()
            yield f"{path.name}, which the course no longer has, held no answer and was removed"


def _copies() -> Iterator[tuple[Path, Notebook]]:
    """The copies of lessons in the folder that can be read, but those that are kept aside."""
    for path in sorted(folder().glob("[0-9][0-9]_*.ipynb")):
        if "." in path.stem:
            continue
        try:
            copy = notebook.read(path.read_text(encoding="utf-8-sig"))
        except (OSError, ValueError):
            continue
        yield path, copy


def _move(lesson: Lesson, released: Notebook, theirs: list[Cell]) -> tuple[Notebook, list[Cell]]:
    """The released notebook with the learner's answers, and those of their cells that do not fit into it."""
    mine = nbformat.from_dict({**released, "cells": theirs})
    exercises = {exercise.name: exercise for exercise in lesson.exercises}
    answers = notebook.answers(mine, exercises, lambda name, cell: exercises[name].is_starter(cell))
    updated = notebook.graft(released, answers, notebook.question_cells(mine))
    placed = {cell.source for cell in updated.cells}
    return updated, [cell for cell in theirs if cell.source not in placed]


def _hash(cell: Cell) -> str:
    """A hash of what a learner can change in a cell and what the grader finds it by; not of its outputs."""
    parts = [cell.cell_type, cell.source, notebook.grade_id(cell), notebook.question(cell)]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]


def _released(copy: Notebook) -> list[str]:
    """The hashes of the cells as they were released, [] in a copy that was not made here."""
    about: Any = copy.metadata.get("tilewise")
    kept = about.get("released") if isinstance(about, dict) else None
    return kept if isinstance(kept, list) else []


def _changed(copy: Notebook) -> list[Cell]:
    """The cells that are not as they were released: what the learner wrote."""
    then = _released(copy)
    return [cell for cell in copy.cells if cell.source.strip() and _hash(cell) not in then]


def _write(made: Notebook, hashes: list[str], path: Path) -> None:
    made.metadata.setdefault("tilewise", {})["released"] = hashes
    write_atomically(path, nbformat.writes(made) + "\n")
