"""The learner's own copies of the lessons, in work/. Nothing that a learner wrote is ever overwritten or deleted.

A copy remembers, in its metadata, a hash of every cell as it was released. A cell without its hash there is the
learner's. When a lesson changes, their answers move into the new version, their own cells behind the cells that they
followed, and the old copy is kept beside it.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import nbformat
from nbformat.v4 import new_markdown_cell

from ..processes.files import free_name, write_atomically
from ..spec import notebook
from ..spec.catalogue import Lesson, lessons
from ..spec.notebook import Cell, Notebook
from ..spec.user_error import UserError
from .progress import folder, unfinished

MOVED = (
    "**This lesson was updated on {date}.** Your answers are in it. {count} that you wrote besides {stand} behind the "
    "cell that {they} followed. The notebook as it was before is kept as `{aside}`. You can delete this cell."
)


def prepare(chosen: Sequence[Lesson]) -> Iterator[str]:
    """Bring the learner's copies of the chosen lessons up to date; yields a sentence for each that changed, and one for
    all that are merely new.

    They lie beside the progress file. Interrupted at any moment it leaves every copy whole, old or new.
    """
    before = dict(_copies())
    copies = {lesson: folder() / lesson.notebook.name for lesson in chosen if lesson.notebook.exists()}
    there = {lesson: path for lesson, path in copies.items() if path.exists()}
    # New lessons first: one may have been cut off another, from whose copy its answers come while they are there.
    yield from _copy({lesson: path for lesson, path in copies.items() if lesson not in there}, before)
    for lesson, path in there.items():
        yield from _bring_up_to_date(lesson, path)
    yield from _without_untouched_copies_of_former_lessons(before)


def first_copy() -> Path:
    """The copy of the first lesson that is not finished, else of the first. Raises UserError if there is none."""
    copies = {lesson.stem: folder() / lesson.notebook.name for lesson in lessons()}
    there = {stem: copy for stem, copy in copies.items() if copy.exists()}
    if not there:
        raise UserError("there is no lesson to open yet; `tilewise build` writes the notebooks")
    return next((there[stem] for stem in unfinished() if stem in there), next(iter(there.values())))


def has_setup_of_its_own(path: Path) -> bool:
    """Whether the file is a copy of a lesson whose setup cell the learner changed."""
    try:
        copy = notebook.read(path.read_text(encoding="utf-8-sig")) if path.suffix == ".ipynb" else None
    except (OSError, ValueError):
        return False
    lesson = next((lesson for lesson in lessons() if copy and _about(copy).get("lesson") == lesson.stem), None)
    if copy is None or lesson is None:
        return False
    own = [cell for cell in copy.cells if notebook.is_setup(cell) and _hash(cell) not in _released(copy)]
    course = notebook.read(lesson.notebook.read_text(encoding="utf-8"))
    return bool(own) and notebook.setup_source(copy) != notebook.setup_source(course)


def _copy(new: dict[Lesson, Path], before: dict[Path, Notebook]) -> Iterator[str]:
    untouched = []
    for lesson, path in new.items():
        released, hashes = _released_now(lesson)
        copy, origins = _with_answers_of(before, lesson, released)
        _write(copy, hashes, path)
        if origins:
            yield f"{path.name} was copied, with your answers in {' and '.join(origins)}"
        else:
            untouched.append(path.name)
    if len(untouched) > 1:
        yield f"{len(untouched)} lessons were copied, {untouched[0]} to {untouched[-1]}"
    elif untouched:
        yield f"{untouched[0]} was copied"


def _bring_up_to_date(lesson: Lesson, path: Path) -> Iterator[str]:
    released, hashes = _released_now(lesson)
    try:
        copy = notebook.read(path.read_text(encoding="utf-8-sig"))
    except ValueError:
        aside = free_name(path, "unreadable")
        os.replace(path, aside)
        whole = notebook.salvaged(aside.read_text(encoding="utf-8-sig", errors="replace"))
        updated, _ = _move(lesson, released, whole.cells if whole else [])
        answered = [notebook.grade_id(cell) for cell in updated.cells if _hash(cell) not in hashes]
        _write(updated, hashes, path)
        names = " and ".join(name.removeprefix(notebook.SOLVE) for name in answered)
        held = f", with your {names}" if names else ""
        yield f"{path.name} could not be read: it is kept as {aside.name}, and a fresh copy is there{held}"
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
    own = [cell for cell in homeless if cell.source not in elsewhere]
    aside = free_name(path, "before")
    shutil.copy2(path, aside)
    _write(_with_own_cells(updated, copy, own, aside.name), hashes, path)
    notebook.trust_as(copy, path.read_text(encoding="utf-8"))
    yield f"{path.name} was updated with your answers in it; the old one is kept as {aside.name}"
    if own:
        yield f"  {_cells(own)} of yours stand{'s' * (len(own) == 1)} in it behind what came before, as in the old one"


def _released_now(lesson: Lesson) -> tuple[Notebook, list[str]]:
    """The lesson's notebook, and a hash of each of its cells."""
    released = notebook.read(lesson.notebook.read_text(encoding="utf-8"))
    return released, [_hash(cell) for cell in released.cells]


def _cells(own: Sequence[Cell]) -> str:
    return "1 cell" if len(own) == 1 else f"{len(own)} cells"


def _with_own_cells(updated: Notebook, copy: Notebook, own: list[Cell], aside: str) -> Notebook:
    """The notebook with cells of the learner's behind the nearest released cell that came before them in the copy."""
    if not own:
        return updated
    places = {_place(cell): i for i, cell in enumerate(updated.cells)}
    behind: dict[int, list[Cell]] = {}
    at = -1
    for cell in copy.cells:
        at = places.get(_place(cell), at)
        if any(cell is one for one in own):
            behind.setdefault(at, []).append(_loose(cell))
    one = len(own) == 1
    said = MOVED.format(
        date=date.today().isoformat(), aside=aside, count=f"The {_cells(own).removeprefix('1 ')}",
        stand="stands" if one else "stand", they="it" if one else "they",
    )  # fmt: skip
    cells = [new_markdown_cell(said, metadata={"tilewise": {"note": True}}), *behind.pop(-1, [])]
    for i, cell in enumerate(updated.cells):
        cells += [cell, *behind.pop(i, [])]
    return nbformat.from_dict({**updated, "cells": cells})


def _place(cell: Cell) -> tuple[str, ...]:
    """What tells a released cell in the old version and in the new: its name, where it has one, or what it says."""
    name = (notebook.grade_id(cell), notebook.question(cell))
    return name if any(name) else (cell.cell_type, cell.source)


def _loose(cell: Cell) -> Cell:
    """A cell of the learner's own, which answers nothing that is graded, and is not taken for another cell."""
    made = nbformat.from_dict(cell)
    made.pop("id", None)
    made.metadata.pop("nbgrader", None)
    made.metadata.pop("tilewise", None)
    return nbformat.from_dict({**made, "id": new_markdown_cell().id})


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
    kept = _about(copy).get("released")
    return kept if isinstance(kept, list) else []


def _about(thing: Notebook | Cell) -> dict[str, Any]:
    found: Any = thing.metadata.get("tilewise")
    return found if isinstance(found, dict) else {}


def _changed(copy: Notebook) -> list[Cell]:
    """The cells that are not as they were released: what the learner wrote."""
    then = _released(copy)
    written = (cell for cell in copy.cells if cell.source.strip() and not _about(cell).get("note"))
    return [cell for cell in written if _hash(cell) not in then]


def _write(made: Notebook, hashes: list[str], path: Path) -> None:
    made.metadata.setdefault("tilewise", {})["released"] = hashes
    write_atomically(path, nbformat.writes(made) + "\n")
