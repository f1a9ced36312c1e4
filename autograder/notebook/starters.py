"""What stands in an exercise's cell before it is answered: the starter given back, or an own, earlier answer."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from copy import deepcopy
from pathlib import Path

from ..judging.verdict import Verdict
from ..processes.files import free_name, write_atomically
from ..spec import starter
from ..spec.catalogue import exercise_named
from ..spec.exercise import Exercise
from ..spec.folders import LESSONS
from ..spec.user_error import UserError
from .live.slips import listed
from .progress import copy_of, folder

PASSED = ".passed"  # a folder of the learner's answers that passed, the last for each exercise
OPENED = "Your last passing {} stands here now: change what is new, delete the line below TODO, and run it again."
NONE_PASSED = (
    "Nothing opens here yet, as no passing {} of yours is kept: check that first, or write this part yourself."
)
CHANGED = "Your {} has passed, but not within the lines that were given: copy from its cell what you can use here."


def reset(stem: str, name: str) -> str:
    """Put the starter of the exercise into its cell, and the answer into a file NAME.before-DATE; returns what is done.

    Cards below it go, as they speak of the answer. Raises UserError where there is no copy, or none with that cell.
    """
    from ..spec import notebook  # here, as checks are made on machines without Jupyter too

    path = copy_of(stem).resolve()
    try:
        copy = notebook.read(path.read_text(encoding="utf-8-sig"))
    except ValueError as error:
        raise UserError(f"{path} is {error}; `tilewise lab` keeps it aside and makes a fresh copy") from None
    before = deepcopy(copy)
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
    text = notebook.as_text(copy)
    write_atomically(path, text)
    notebook.trust_as(before, text)
    reload = "Where it is open in JupyterLab, choose File, Reload Notebook from Disk."
    return (
        f"{name} in {path} is the starter again; your answer is kept as {aside.name}, your points stay.{also} {reload}"
    )


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


def begun(exercise: Exercise, cell: str, answer_to: Callable[[str], str | None] = passed) -> tuple[str | None, str]:
    """The exercise's cell with earlier answers in the holes that wait for them, None if there are none; and a sentence.

    What else the learner has written there stays. The sentence says what opened, or why nothing did; it is empty where
    no hole waits.
    """
    waiting = starter.waiting(cell, exercise.source)
    if not waiting:
        return None, ""
    answers = {name: answer_to(name) for name in waiting}
    sources = [source for source in starter.begun_by(exercise.source) if source and source[0] in waiting]
    found = {name: _lines(name, parts, answers[name] or "") for name, parts in sources}
    fit = {name: lines for name, lines in found.items() if lines}
    if fit:
        return starter.opened(cell, exercise.source, fit), OPENED.format(listed([*fit]))
    unfit = [name for name, answer in answers.items() if answer]
    return None, CHANGED.format(listed(unfit)) if unfit else NONE_PASSED.format(listed(waiting))


def _lines(name: str, parts: Sequence[tuple[int, int]], answer: str) -> str:
    """What the answer has in these parts, one below the other; "" unless it has something in each."""
    marked = exercise_named(name).cell(with_solution=True)
    found = [starter.between(marked, answer, first, last) for first, last in parts]
    return "\n".join(part for part in found if part) if all(found) else ""


def _kept(name: str) -> Path:
    return folder() / PASSED / f"{name}.txt"
