"""A submitted notebook rebuilt: the released cells, all of them and nothing else, with the student's answers in them.

So whatever was edited, deleted, duplicated, moved or flipped in what was handed in cannot matter; it is only noted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Sequence

from nbformat.v4 import new_markdown_cell, new_notebook
from nbgrader.utils import compute_checksum

from ..grading.reading.submission import Submission
from ..showing.page import page
from ..spec import notebook
from ..spec.notebook import Cell, Notebook, grade_id


def rebuild(released: Notebook, theirs: Notebook, submission: Submission, name: str) -> tuple[Notebook, list[str]]:
    """The released notebook with the submission's answers, and notes on what was unreadable, missing or changed.

    theirs: the notebook `name` that was handed in, or an empty one.

    It takes over the answers to exercises, from the notebook or else from a .py file, the numbers put into questions,
    and the text of any other cell that the instructor marked as one to answer.
    """
    answers, unreadable = submission.answers, submission.notes
    rebuilt = notebook.graft(
        released,
        {exercise: answers[exercise].source for exercise in notebook.exercise_names(released) if exercise in answers},
        notebook.question_cells(theirs),
    )
    written = {grade_id(cell): cell.source for cell in theirs.cells}
    for cell in rebuilt.cells:
        if is_marked(cell, "solution") and not grade_id(cell).startswith(notebook.SOLVE):
            cell.source = written.get(grade_id(cell), cell.source)
        cell.source = cell.source.encode(errors="replace").decode()  # a lone surrogate could not be saved
    if f"{name}.ipynb" not in submission.files and not unreadable:
        unreadable = (f"{name}.ipynb was not handed in",)
    notes = [*unreadable, *(_changes(released, theirs, answers.keys()) if theirs.cells else [])]
    if notes:
        rebuilt.cells.insert(0, _notice(notes))
    return rebuilt, notes


def read_or_empty(data: bytes) -> Notebook:
    """The notebook that was handed in, or an empty one if it cannot be read."""
    try:
        return notebook.read(data.decode("utf-8-sig"))
    except ValueError:
        return new_notebook()


def is_marked(cell: Cell, role: str) -> bool:
    """Whether a cell of a trusted notebook has this role for nbgrader: "grade", "solution" or "locked"."""
    return bool(cell.metadata.get("nbgrader", {}).get(role))


def _changes(released: Notebook, theirs: Notebook, answered: Container[str]) -> list[str]:
    """What is missing, duplicated or edited among the cells that nbgrader knows; answers may differ, of course."""
    notes = []
    count = Counter(grade_id(cell) for cell in theirs.cells)
    found = {grade_id(cell): cell for cell in theirs.cells}
    for cell in released.cells:
        name = grade_id(cell)
        if not name:
            continue
        is_solve = name.startswith(notebook.SOLVE)
        has_answer = name.removeprefix(notebook.SOLVE) in answered if is_solve else is_marked(cell, "solution")
        if not count[name]:
            now = "its answer was found elsewhere" if is_solve and has_answer else "it is as released"
            notes.append(f"the cell {name} was not there; {now}")
            continue
        if count[name] > 1:
            notes.append(f"the cell {name} was there {count[name]} times; one is kept")
        mine = found[name]
        same = mine.cell_type == cell.cell_type and _roles(mine) == _roles(cell)
        if not same or (is_marked(cell, "locked") and mine.source != cell.source):
            why = "is another release's, perhaps an older one's" if _is_of_a_release(mine) else "was changed"
            now = "it is as released now" + ", but for its answer" * has_answer
            notes.append(f"the cell {name} {why}; {now}")
    return notes


def _is_of_a_release(cell: Cell) -> bool:
    """Whether the sum that nbgrader takes of a cell when it releases it still holds."""
    try:
        return bool(cell.metadata.nbgrader.checksum == compute_checksum(cell))
    except Exception:  # metadata of any form
        return False


def _roles(cell: Cell) -> list[object]:
    return [cell.metadata.nbgrader.get(key) for key in ("grade", "solution", "locked", "task", "points")]


def _notice(notes: Sequence[str]) -> Cell:
    """What the student and the instructor read above the graded notebook."""
    cell = new_markdown_cell(page("nbgrader/notice.html.j2", notes=notes[:50]))
    cell.id = "handed-in"
    return cell
