"""Giving an exercise's starter back, in the learner's copy of its lesson. What they wrote is kept beside the copy."""

from __future__ import annotations

from ..processes.files import free_name, write_atomically
from ..spec import notebook
from ..spec.folders import LESSONS
from ..spec.starter import without_magic
from ..spec.user_error import UserError
from .progress import copy_of


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
    starter = next(cell for cell in released.cells if notebook.grade_id(cell) == notebook.SOLVE + name)
    own = [cell for cell in copy.cells if notebook.grade_id(cell) == notebook.SOLVE + name]
    if not own:
        raise UserError(f"{path} no longer has the cell of {name}; copy that from the notebook in {LESSONS}")
    elsewhere = [c for c in copy.cells if c not in own and c.cell_type == "code" and notebook.defines(c.source, name)]
    also = f" Another cell defines {name} too, and counts; delete it if it should not." if elsewhere else ""
    if all(cell.source == starter.source for cell in own):
        return f"The cell of {name} in {path} is as it was given out.{also}"
    suffix = ".cu" if own[-1].source.startswith("%%cuda") else ".py"
    aside = free_name(path.with_name(name + suffix), "before")
    write_atomically(aside, "\n\n".join(without_magic(cell.source) for cell in own) + "\n")
    for cell in own:
        cell.source = starter.source
    for cell in copy.cells:
        if notebook.grade_id(cell) in (notebook.SOLVE + name, notebook.CHECK + name):
            cell.outputs, cell.execution_count = [], None
    write_atomically(path, notebook.as_text(copy))
    reload = "Where it is open in JupyterLab, choose File, Reload Notebook from Disk."
    return f"{name} in {path} is the starter again; your answer is kept as {aside.name}.{also} {reload}"
